// expect: false(no-invalid-shift)
// property: no-invalid-shift
// data-model: LP64
extern unsigned __VERIFIER_nondet_uint(void);
static unsigned rotl(unsigned x, unsigned n) { return x << n | x >> (32 - n); }
int main(void) { return (int)rotl(5, __VERIFIER_nondet_uint() % 32); }
