// expect: false
// As array_cells_cancel.c, but the last cell is written again: 24000 rounds before it is read.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void)
{
    int up[12000], sum[12000];
    for (int i = 0; i < 12000; i++) {
        up[i] = i;
    }
    up[11999] = 1;
    for (int i = 0; i < 12000; i++) {
        sum[i] = up[i] - i;
    }
    for (int i = 0; i < 12000; i++) {
        if (sum[i] != 0) {
            reach_error();
        }
    }
    return 0;
}
