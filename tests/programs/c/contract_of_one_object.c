// expect: unknown
// may: false
// args: --modular
// The contract was checked for two objects; here both arguments lead to one.
extern void reach_error(void);
/*@ requires a != \null && b != \null; assigns *a; ensures *a == 1; */
void f(int *a, int *b) {
    int old = *b;
    *a = 1;
    if (*b != old) reach_error();
}
int main(void) {
    int x = 0;
    f(&x, &x);
    return 0;
}
