// property: no-overflow
extern int __VERIFIER_nondet_int(void);

int compute(int a, int b) {
  return b == 0 ? 0 : a % b;
}

int main(void) {
  int a = __VERIFIER_nondet_int();
  int b = __VERIFIER_nondet_int();
  return compute(a, b);
}
