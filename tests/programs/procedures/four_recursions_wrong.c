// expect: false
// As four_recursions.c, but triangle(1) is no more than 1.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int triangle(int n)
{
    if (n <= 0) {
        return 0;
    }
    return n + triangle(n - 1);
}

static int odd(int n);
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 2000) {
        return 0;
    }
    if (triangle(n) <= n - even(n)) {
        reach_error();
    }
    return 0;
}
