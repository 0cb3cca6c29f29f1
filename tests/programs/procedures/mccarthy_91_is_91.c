// expect: true
// engine: trace-abstraction, whale
// McCarthy 91: the result is 91 up to 101.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int mc91(int n)
{
    if (n > 100) {
        return n - 10;
    }
    return mc91(mc91(n + 11));
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int r = mc91(n);
    if (r != 91 && n <= 101) {
        reach_error();
    }
    return 0;
}
