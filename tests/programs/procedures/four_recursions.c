// expect: true
// Contracts from templates: a positive result, a bound by a multiple of the argument, a remainder, and a result that
// depends on a condition on the argument.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int gcd(int a, int b) { return b == 0 ? a : gcd(b, a % b); }

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

static int below(int x)
{
    if (x > 50) {
        return x - 5;
    }
    return below(below(x + 6));
}

int main(void)
{
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    int n = __VERIFIER_nondet_int(), x = __VERIFIER_nondet_int();
    if (a < 1 || b < 0 || n < 0 || n > 2000 || x > 50) {
        return 0;
    }
    if (gcd(a, b) < 1) {
        reach_error();
    }
    if (triangle(n) < n) {
        reach_error();
    }
    if (even(n) + odd(n) != 1) {
        reach_error();
    }
    if (below(x) != 46) {
        reach_error();
    }
    return 0;
}
