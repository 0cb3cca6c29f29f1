// expect: true
extern void reach_error(void);
int f(int n, int *p) { int x = n; if (n == 0) return *p; return f(n - 1, &x); }
int main(void) {
    if (f(2, 0) != 1) reach_error();
    return 0;
}
