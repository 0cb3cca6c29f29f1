// expect: true
// property: LTL(F "r == 465")
// Thirty calls are active at once.
int r;
int sum(int n) { return n == 0 ? 0 : n + sum(n - 1); }
int main(void) {
  r = sum(30);
  return 0;
}
