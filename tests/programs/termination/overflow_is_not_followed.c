// expect: true
// property: termination
// With wrap-around -m would stay the smallest int for ever; but that negation overflows, so it is no execution.
extern int __VERIFIER_nondet_int(void);
int mult(int n, int m) {
  if (m < 0) return -1 * mult(n, -m);
  if (m == 0) return 0;
  return n + mult(n, m - 1);
}
int main(void) {
  int m = __VERIFIER_nondet_int();
  int n = __VERIFIER_nondet_int();
  return mult(m, n);
}
