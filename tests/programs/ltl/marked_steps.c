// expect: true
// property: LTL(G ("a == 1" ==> X "a == 3"))
// Only marked steps are observed: a == 2 is not.
extern void __VERIFIER_ltl_step(void);
int a;
int main(void) {
  a = 1;
  __VERIFIER_ltl_step();
  a = 2;
  a = 3;
  __VERIFIER_ltl_step();
  a = 4;
  return 0;
}
