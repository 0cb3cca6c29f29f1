// expect: true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int nothing(void) { return 1; }
static int number(int a) { return a + 1; }
static int pointer(int *p) { return *p; }
static double real(double x) { return x * 2; }
int main(void) {
    void *table[4] = {(void *)nothing, (void *)number, (void *)pointer, (void *)real};
    int i = __VERIFIER_nondet_int(), x = 2, result;
    if (i == 0) result = ((int (*)(void))table[0])();
    else if (i == 1) result = ((int (*)(int))table[1])(3);
    else if (i == 2) result = ((int (*)(int *))table[2])(&x);
    else result = ((double (*)(double))table[3])(1.5) > 2;
    if (result < 1 || result > 4) reach_error();
    return 0;
}
