// expect: false
// Each function calls the next one twice; the last one is wrong for one argument.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#define LEVEL(own, next) \
    int f##own(int x) { return f##next(x) + f##next(x) - x - 1; }
int f0(int x) { return x == 4 ? x : x + 1; }
LEVEL(1, 0) LEVEL(2, 1) LEVEL(3, 2) LEVEL(4, 3) LEVEL(5, 4) LEVEL(6, 5) LEVEL(7, 6) LEVEL(8, 7) LEVEL(9, 8) LEVEL(10, 9)
int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x < 0 || x > 5) {
        return 0;
    }
    if (f10(x) != x + 1) {
        reach_error();
    }
    return 0;
}
