// expect: true
// property: LTL(F "x == 1")
// The other branch has no execution, so none ends there.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int x;
int main(void) {
  if (__VERIFIER_nondet_int()) { __VERIFIER_assume(0); }
  x = 1;
  return 0;
}
