// expect: true
// data-model: LP64
extern long __VERIFIER_nondet_long(void);
extern void reach_error(void);
int main(void) { long a = __VERIFIER_nondet_long(), b = __VERIFIER_nondet_long(); __int128 p = (__int128)a * b; if (a > 0 && b > 0 && p <= 0) reach_error(); if (a > 1000000000000 && b > 1000000000000 && (long)(p >> 64) == 0) reach_error(); return 0; }
