// expect: false(no-overflow)
// property: no-overflow
// It returns two more.
extern int __VERIFIER_nondet_int(void);
int depth(int a) {
    if (a <= 0) {
        return 2147483641;
    }
    int below = depth(a - 1);
    return below + 2;
}
int main(void) {
    int a = 4;
    return depth(a) == 0;
}
