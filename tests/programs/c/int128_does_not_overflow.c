// expect: true
// property: no-overflow
// data-model: LP64
extern long __VERIFIER_nondet_long(void);
int main(void) {
    __int128 x = __VERIFIER_nondet_long();
    x = x * 4294967295u;
    return (int)(x + x + x) & 1;
}
