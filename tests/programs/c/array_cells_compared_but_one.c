// expect: false(unreach-call)
// As array_cells_compared.c, but the last cell is written again: the 36000th round finds out.
extern void reach_error(void);
int main(void)
{
    int left[12000], same[12000];
    for (int i = 0; i < 12000; i++) {
        left[i] = i;
    }
    left[11999] = 1;
    for (int i = 0; i < 12000; i++) {
        same[i] = left[i] == i;
    }
    for (int i = 0; i < 12000; i++) {
        if (!same[i]) {
            reach_error();
        }
    }
    return 0;
}
