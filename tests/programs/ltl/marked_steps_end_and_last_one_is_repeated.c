// expect: false(ltl)
// property: LTL(F "x == 2")
// After the last marked step the observation x == 1 is repeated, whatever x is later.
void __VERIFIER_ltl_step(void);
int x;
int main(void) {
  x = 1;
  __VERIFIER_ltl_step();
  x = 2;
  while (1) { }
}
