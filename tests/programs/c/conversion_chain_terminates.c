// expect: true
// property: termination
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int main(void) {
    int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 1); long l = n; int m = (int)l; while (m <= 0) ;
    return 0;
}
