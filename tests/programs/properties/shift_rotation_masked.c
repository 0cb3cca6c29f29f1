// expect: true
// property: no-invalid-shift
// data-model: LP64
extern unsigned __VERIFIER_nondet_uint(void);
static unsigned rotl(unsigned x, unsigned n) { return x << n | x >> (-n & 31); }
int main(void) { return (int)rotl(5, __VERIFIER_nondet_uint() % 32); }
