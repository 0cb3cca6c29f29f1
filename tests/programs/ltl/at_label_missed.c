// expect: false(ltl)
// property: LTL(G (at(acquired) ==> F at(released)))
int __VERIFIER_nondet_int(void);
int n;
int main(void) {
  while (1) {
acquired:
    n = 1;
    if (__VERIFIER_nondet_int()) continue;
released:
    n = 0;
  }
}
