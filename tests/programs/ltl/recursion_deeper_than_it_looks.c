// expect: false(ltl)
// property: LTL(G "x != 20")
// The violation is twenty calls deep.
int x;
void down(int n) {
  x = n;
  if (n < 20) down(n + 1);
}
int main(void) {
  down(0);
  return 0;
}
