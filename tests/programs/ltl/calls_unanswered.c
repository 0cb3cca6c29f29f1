// expect: false(ltl)
// property: LTL(G (call(acquire) ==> F call(release)))
extern int __VERIFIER_nondet_int(void);
int held;
void acquire(void) { held = 1; }
void release(void) { held = 0; }
int main(void) {
  while (1) { acquire(); if (__VERIFIER_nondet_int() > 3) release(); }
}
