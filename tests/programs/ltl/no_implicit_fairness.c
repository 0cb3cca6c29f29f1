// expect: false(ltl)
// property: LTL(G F "r == 1")
// Nothing makes the choice fair.
extern int __VERIFIER_nondet_int(void);
int r;
int main(void) {
  while (1) {
    if (__VERIFIER_nondet_int()) r = 1; else r = 0;
  }
}
