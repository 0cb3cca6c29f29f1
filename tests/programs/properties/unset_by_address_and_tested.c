// expect: true
// property: no-uninitialised-read
// data-model: LP64
extern int __VERIFIER_nondet_int(void);
static int get(int *to) { if (__VERIFIER_nondet_int()) { *to = 4; return 1; } return 0; }
int main(void) { int x; if (get(&x)) return x; return 0; }
