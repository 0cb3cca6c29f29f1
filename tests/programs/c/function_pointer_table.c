// expect: true
extern void reach_error(void);
int a(int x) { return x; } int b(int x) { return -x; }
int main(void) {
    int (*f[2])(int) = { a, b }; if (f[1](3) != -3) reach_error();
    return 0;
}
