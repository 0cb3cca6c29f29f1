// expect: true
// property: LTL(G F "x == 1")
// The last observation is repeated for ever, so it is made infinitely often.
void __VERIFIER_ltl_step(void);
int x;
int main(void) {
  x = 1;
  __VERIFIER_ltl_step();
  x = 2;
  while (1) { }
}
