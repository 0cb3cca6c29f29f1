// expect: false(ltl)
// property: LTL(F "x == 2")
// The function is defined so that the program can be linked; its calls mark the steps all the same.
int x;
void __VERIFIER_ltl_step(void) {}
int main(void) {
  x = 1;
  __VERIFIER_ltl_step();
  x = 2;
  x = 3;
  __VERIFIER_ltl_step();
  return 0;
}
