// expect: false(no-overflow)
// property: no-overflow
// args: --integers bitvec
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > 0 && x < 50000) return x * x;
    return 0;
}
