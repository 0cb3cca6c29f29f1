// expect: false(no-overflow)
// property: no-overflow
// The mistake that binary searches had for decades: the sum of two large indices overflows.
extern int __VERIFIER_nondet_int(void);

int midpoint(int low, int high) {
  return (low + high) / 2;
}

int main(void) {
  int low = __VERIFIER_nondet_int();
  int high = __VERIFIER_nondet_int();
  if (low < 0 || high < low) {
    return 0;
  }
  return midpoint(low, high);
}
