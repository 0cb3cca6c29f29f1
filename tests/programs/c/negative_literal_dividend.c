// expect: true
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int d = __VERIFIER_nondet_int(); if (d == 1 && -1 / d != -1) reach_error();
    return 0;
}
