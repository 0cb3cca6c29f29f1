// expect: false(unreach-call)
// data-model: LP64
extern long __VERIFIER_nondet_long(void);
extern void reach_error(void);
int main(void) { long a = __VERIFIER_nondet_long(); __int128 s = (__int128)a + 1; if (s > 9223372036854775807L) reach_error(); return 0; }
