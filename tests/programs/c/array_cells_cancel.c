// expect: true
// engine: cell-morphing, auto
// What must hold of the sum is pulled back to what was stored.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void)
{
    int up[30000], down[30000], sum[30000];
    for (int i = 0; i < 30000; i++) {
        int x = __VERIFIER_nondet_int();
        if (x < -1000 || x > 1000) {
            return 0;
        }
        up[i] = x;
        down[i] = -x;
    }
    for (int i = 0; i < 30000; i++) {
        sum[i] = up[i] + down[i];
    }
    for (int i = 0; i < 30000; i++) {
        if (sum[i] != 0) {
            reach_error();
        }
    }
    return 0;
}
