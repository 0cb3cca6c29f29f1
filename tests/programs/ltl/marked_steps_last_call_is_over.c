// expect: true
// property: LTL(F G !call(f))
// A call happens once, also if nothing is observed after it.
extern void __VERIFIER_ltl_step(void);
int x;
void f(void) { }
int main(void) {
  x = 1;
  __VERIFIER_ltl_step();
  f();
  while (1) { }
}
