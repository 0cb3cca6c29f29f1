// expect: false
// The last state leads to one that the switch does not know.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void)
{
    int s = 0;
    while (1) {
        int x = __VERIFIER_nondet_int();
        switch (s) {
        case 0: s = x ? 1 : 3; break;
        case 1: s = x ? 2 : 10; break;
        case 2: s = x ? 3 : 4; break;
        case 3: s = x ? 4 : 8; break;
        case 4: s = x ? 5 : 2; break;
        case 5: s = x ? 6 : 9; break;
        case 6: s = x ? 7 : 1; break;
        case 7: s = x ? 8 : 6; break;
        case 8: s = x ? 9 : 0; break;
        case 9: s = x ? 10 : 5; break;
        case 10: s = x ? 12 : 7; break;
        case 11: s = 0; break;
        default: reach_error();
        }
    }
}
