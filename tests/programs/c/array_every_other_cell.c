// expect: true
// engine: cell-morphing, auto
// Only even cells are known, and of two arrays together.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void)
{
    int key[20000], mark[20000];
    for (int i = 0; i < 20000; i += 2) {
        key[i] = __VERIFIER_nondet_int();
        if (key[i] == 10) {
            mark[i] = 20;
        }
    }
    for (int i = 0; i < 20000; i += 2) {
        if (key[i] == 10 && mark[i] != 20) {
            reach_error();
        }
    }
    return 0;
}
