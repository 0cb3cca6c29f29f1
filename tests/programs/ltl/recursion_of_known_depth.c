// expect: true
// property: LTL(F "r == 120")
// No call goes deeper than the fifth.
int r;
int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }
int main(void) {
  r = factorial(5);
  return 0;
}
