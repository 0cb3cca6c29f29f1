// expect: false(no-overflow)
// property: no-overflow
// data-model: LP64
extern long __VERIFIER_nondet_long(void);
int main(void) {
    __int128 x = __VERIFIER_nondet_long();
    x = x * 18446744073709551615ul;
    x = x + x + x;
    return x != 0;
}
