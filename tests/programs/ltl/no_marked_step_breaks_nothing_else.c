// expect: true
// property: LTL(G "x == 5")
void __VERIFIER_ltl_step(void);
int x;
int main(void) {
  while (1) { }
  __VERIFIER_ltl_step();
  return 0;
}
