// expect: true
// engine: cell-morphing, auto
// Facts about cells of three arrays, one loop after the other.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int a[50000], b[50000], c[50000];
int main(void)
{
    int i;
    for (i = 0; i < 50000; i++) {
        a[i] = __VERIFIER_nondet_int();
    }
    for (i = 0; i < 50000; i++) {
        b[i] = a[i];
    }
    for (i = 0; i < 50000; i++) {
        c[i] = b[i];
    }
    for (i = 0; i < 50000; i++) {
        if (a[i] != c[i]) {
            reach_error();
        }
    }
    return 0;
}
