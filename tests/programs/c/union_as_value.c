// expect: true
// data-model: LP64
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
union U { int i; unsigned char c[4]; };
int main(void) { union U u; u.i = __VERIFIER_nondet_int(); union U v = u; v.c[0] ^= 255; v.c[0] ^= 255; if (v.i != u.i) reach_error(); return 0; }
