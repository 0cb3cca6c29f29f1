// expect: true
// property: no-overflow
extern int __VERIFIER_nondet_int(void);

int midpoint(int low, int high) {
  return low + (high - low) / 2;
}

int main(void) {
  int low = __VERIFIER_nondet_int();
  int high = __VERIFIER_nondet_int();
  if (low < 0 || high < low) {
    return 0;
  }
  return midpoint(low, high);
}
