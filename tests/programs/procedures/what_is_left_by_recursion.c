// expect: true
// property: no-overflow
// engine: auto, abstract-interpretation
// What is given to the calls keeps its sum.
extern int __VERIFIER_nondet_int(void);
int move(int to, int from) {
    if (from <= 0) {
        return to;
    }
    return move(to + 1, from - 1);
}
int main(void) {
    int to = __VERIFIER_nondet_int(), from = __VERIFIER_nondet_int();
    if (to < 0 || to > 1000000000 || from < 0 || from > 1000000000) {
        return 0;
    }
    return move(to, from) == 0;
}
