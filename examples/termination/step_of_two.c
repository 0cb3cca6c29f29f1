// expect: false(termination)
// property: termination
// Steps of two towards zero never meet it from an odd number.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  while (n != 0) {
    if (n > 0) {
      n = n - 2;
    } else {
      n = n + 2;
    }
  }
  return 0;
}
