// expect: false
// args: --modular
// The clauses speak of the global that p points to in this call.
extern void reach_error(void);
int x;
/*@ requires \valid(p); assigns *p; ensures *p == 7 && x == \old(x); */
void f(int *p) { *p = 7; }
int main(void) {
    x = 0;
    f(&x);
    if (x == 7) reach_error();
    return 0;
}
