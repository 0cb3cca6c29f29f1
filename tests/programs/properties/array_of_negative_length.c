// expect: false(valid-deref)
// property: valid-memsafety
// An array whose length is negative has no elements.
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n == 0 || n > 5 || n < -5) return 0;
    char a[n];
    char *p = a;
    *p = 1;
    return 0;
}
