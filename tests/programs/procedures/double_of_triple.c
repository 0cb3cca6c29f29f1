// expect: true
// engine: trace-abstraction, whale
// The double of the triple, where neither wraps around.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int twice(int x)
{
    return x + x;
}

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x < -1000 || x > 1000) {
        return 0;
    }
    if (twice(3 * x) != 6 * x) {
        reach_error();
    }
    return 0;
}
