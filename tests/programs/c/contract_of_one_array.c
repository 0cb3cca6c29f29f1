// expect: false
// args: --modular
// Both arguments lead into one array, and the body compares them.
extern void reach_error(void);
/*@ requires \valid(p) && \valid(q); assigns *p; ensures *p == 1; */
void f(int *p, int *q) {
    *p = 1;
    if (p == q + 1) *p = 2;
}
int main(void) {
    int a[2] = {0, 0};
    f(&a[1], &a[0]);
    if (a[1] == 2) reach_error();
    return 0;
}
