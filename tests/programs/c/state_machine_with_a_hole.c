// expect: false
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int s = 0;
    while (1) {
        int x = __VERIFIER_nondet_int();
        switch (s) {
        case 0: s = x ? 1 : 2; break;
        case 1: s = x ? 3 : 0; break;
        case 2: s = x ? 0 : 1; break;
        case 3: s = x ? 2 : 4; break;
        default: reach_error();
        }
    }
}
