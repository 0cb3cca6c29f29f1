// expect: unknown
// With i == j the element is stored twice in no order.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int a[2] = {0, 0};
    int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
    if (i < 0 || i > 1 || j < 0 || j > 1) return 0;
    a[i] = a[j]++;
    if (a[0] == 1 && a[1] == 1) reach_error();
    return 0;
}
