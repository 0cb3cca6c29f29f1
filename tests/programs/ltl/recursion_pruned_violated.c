// expect: false(ltl)
// property: LTL(X "x == 1")
// After the first mark f counts up to 3 before the next one.
extern void __VERIFIER_ltl_step(void);
extern int __VERIFIER_nondet_int(void);
int x, y;
void f(void) {
  if (x < 3) {
    x = x + 1;
    f();
  }
  y = 0;
}
void g(void) {
  f();
  __VERIFIER_ltl_step();
  while (__VERIFIER_nondet_int()) {
    x = 0;
    __VERIFIER_ltl_step();
  }
  f();
}
int main(void) {
  __VERIFIER_ltl_step();
  x = 2;
  g();
  return 0;
}
