// expect: true
// gcc folds them, so they are array sizes and cases.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int a[__builtin_clz(1)];
int main(void) {
  if (sizeof a != 31 * sizeof(int)) reach_error();
  switch (__VERIFIER_nondet_int()) { case __builtin_popcount(255): return 8; case __builtin_ctz(16): return 4; }
  return 0;
}
