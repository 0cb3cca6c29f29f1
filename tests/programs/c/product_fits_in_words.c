// expect: true
// property: no-overflow
// args: --integers bitvec
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > -300 && x < 300) return x * 7 + (x * 4 & 0xff);
    return 0;
}
