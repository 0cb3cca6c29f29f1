// expect: true
extern void reach_error(void);
int f(void) { static int c; return ++c; }
int main(void) {
    f(); if (f() != 2) reach_error();
    return 0;
}
