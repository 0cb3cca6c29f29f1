// expect: true
// engine: trace-abstraction, whale
// McCarthy 91 in machine arithmetic: below 101 nothing wraps around.
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
    if (mc91(n) < 91) {
        reach_error();
    }
    return 0;
}
