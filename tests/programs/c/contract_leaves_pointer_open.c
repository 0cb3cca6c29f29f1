// expect: unknown
// may: false
// args: --modular
// The contract allows that f returns its argument.
extern void reach_error(void);
/*@ requires p != \null; assigns \nothing; ensures \result != \null; */
int *f(int *p) { return p; }
int main(void) {
    int x = 0;
    int *q = f(&x);
    *q = 1;
    if (x == 1) reach_error();
    return 0;
}
