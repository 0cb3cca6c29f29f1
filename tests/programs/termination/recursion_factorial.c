// expect: true
// property: termination
extern int __VERIFIER_nondet_int(void);
int factorial(int n) {
  if (n <= 1) return 1;
  return n * factorial(n - 1);
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 10) return 0;
  return factorial(n);
}
