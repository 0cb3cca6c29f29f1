// property: no-overflow
extern int __VERIFIER_nondet_int(void);

int compute(int a, int b) {
  return a - b;
}

int main(void) {
  int a = __VERIFIER_nondet_int();
  int b = 1;
  return compute(a, b);
}
