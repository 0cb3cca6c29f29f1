// expect: true
// engine: abstract-interpretation, auto
// Each function calls the next one twice: a billion calls, but 30 contracts.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#define LEVEL(own, next) \
    int f##own(int x) { return f##next(x) + f##next(x) - x - 1; }
int f0(int x) { return x + 1; }
LEVEL(1, 0) LEVEL(2, 1) LEVEL(3, 2) LEVEL(4, 3) LEVEL(5, 4) LEVEL(6, 5) LEVEL(7, 6) LEVEL(8, 7) LEVEL(9, 8) LEVEL(10, 9)
LEVEL(11, 10) LEVEL(12, 11) LEVEL(13, 12) LEVEL(14, 13) LEVEL(15, 14) LEVEL(16, 15) LEVEL(17, 16) LEVEL(18, 17) LEVEL(19, 18)
LEVEL(20, 19) LEVEL(21, 20) LEVEL(22, 21) LEVEL(23, 22) LEVEL(24, 23) LEVEL(25, 24) LEVEL(26, 25) LEVEL(27, 26) LEVEL(28, 27)
LEVEL(29, 28) LEVEL(30, 29)
int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x < 0 || x > 5) {
        return 0;
    }
    if (f30(x) != x + 1) {
        reach_error();
    }
    return 0;
}
