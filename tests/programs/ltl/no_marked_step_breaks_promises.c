// expect: false(ltl)
// property: LTL(F "x == 0")
// No step is ever made, so what is promised for some step does not happen.
void __VERIFIER_ltl_step(void);
int x;
int main(void) {
  while (1) { }
  __VERIFIER_ltl_step();
  return 0;
}
