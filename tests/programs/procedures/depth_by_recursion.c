// expect: true
// property: no-overflow
// engine: auto, abstract-interpretation
// A call returns no more than it was given.
extern int __VERIFIER_nondet_int(void);
int depth(int a) {
    if (a <= 0) {
        return 0;
    }
    int below = depth(a - 1);
    return below + 1;
}
int main(void) {
    int a = __VERIFIER_nondet_int();
    if (a < 0) {
        return 0;
    }
    return depth(a) == 0;
}
