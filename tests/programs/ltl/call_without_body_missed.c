// expect: false(ltl)
// property: LTL(G (call(lock) ==> F call(unlock)))
extern void lock(void);
extern void unlock(void);
int __VERIFIER_nondet_int(void);
int main(void) {
  while (1) { lock(); if (__VERIFIER_nondet_int()) return 1; unlock(); }
}
