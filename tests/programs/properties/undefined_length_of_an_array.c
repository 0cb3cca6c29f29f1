// An array of no elements, of which only the size is asked (C11 6.7.6.2p5).
// expect: false(valid-deref)
// property: undefined
// data-model: LP64
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 2)
    return 0;
  int a[n];
  return sizeof a > 100;
}
