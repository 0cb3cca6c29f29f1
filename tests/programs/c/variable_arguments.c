// expect: true
// Variable arguments of several types, copied lists, and a list handed on.
typedef __builtin_va_list va_list;
extern void reach_error(void);
int sum(int n, va_list ap) {
    int s = 0;
    for (int i = 0; i < n; i++) s += __builtin_va_arg(ap, int);
    return s;
}
int f(int n, ...) {
    va_list ap, again;
    __builtin_va_start(ap, n);
    __builtin_va_copy(again, ap);
    int first = __builtin_va_arg(ap, int);
    int all = sum(n, again);
    __builtin_va_end(ap);
    return all - first;
}
int g(int n, ...) {
    va_list ap;
    __builtin_va_start(ap, n);
    int *p = __builtin_va_arg(ap, int *);
    long long l = __builtin_va_arg(ap, long long);
    *p = n;
    __builtin_va_end(ap);
    return l == 5000000000LL;
}
int main(void) {
    int x = 0;
    if (f(3, 10, 20, -5) != 15) reach_error();
    if (!g(7, &x, 5000000000LL) || x != 7) reach_error();
    return 0;
}
