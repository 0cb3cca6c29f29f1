// expect: unknown
// p and q may be equal: the sum is undefined then.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = 0, y = 0;
    int *p = &x, *q = __VERIFIER_nondet_int() ? &x : &y;
    if (*p + (*q = 1) == 2) reach_error();
    return 0;
}
