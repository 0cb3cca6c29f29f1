// expect: unknown
// may: false
// args: --modular
// No two objects satisfy what the contract requires, so its body was not looked at.
extern void reach_error(void);
/*@ requires \valid(p) && \valid(q) && p == q + 1; assigns *p; ensures *p == 1; */
void f(int *p, int *q) { *p = 2; }
int main(void) {
    int a[2] = {0, 0};
    f(&a[1], &a[0]);
    return 0;
}
