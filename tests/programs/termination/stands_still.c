// expect: false
// property: termination
// Nothing changes in the second loop.
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), n = 0;
    for (int i = 0; i < 3; i++) n += i;
    while (x > n) { }
    return 0;
}
