// expect: false(ltl)
// property: LTL(G ("a[0] == 0 || a[1] == 0"))
// The second iteration violates the formula; which elements later iterations access does not matter any more.
int a[3];
int i;
int main(void) {
  i = 0;
  while (1) {
    a[i] = 1;
    a[(i + 1) % 3] = 0;
    i = (i + 1) % 3;
  }
}
