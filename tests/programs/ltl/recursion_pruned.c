// expect: true
// property: LTL(!return(f) || X "x == 1")
// The first observation is a mark, where nothing returns. The product has fewer locations than the program.
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
