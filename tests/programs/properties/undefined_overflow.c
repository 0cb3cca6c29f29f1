// expect: false(no-overflow)
// property: undefined
// data-model: LP64
extern int __VERIFIER_nondet_int(void);
int main(void) { int i = __VERIFIER_nondet_int(); return i + 1; }
