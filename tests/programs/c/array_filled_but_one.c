// expect: false(unreach-call)
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
    if (n < 1 || n > 100000) return 0;
    int a[n];
    a[0] = 8;
    for (int i = 1; i < n; i++) a[i] = 7;
    if (k >= 0 && k < n && a[k] != 7) reach_error();
    return 0;
}
