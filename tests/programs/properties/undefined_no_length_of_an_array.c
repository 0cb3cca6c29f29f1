// The same with one element more.
// expect: true
// property: undefined
// data-model: LP64
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 2)
    return 0;
  int a[n + 1];
  return sizeof a > 100;
}
