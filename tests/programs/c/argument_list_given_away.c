// expect: unknown
// may: true
// After a function has used it, a list of arguments is indeterminate (C11 7.16p3).
#include <assert.h>
#include <stdarg.h>
static int one(va_list list) {
    return va_arg(list, int);
}
static int digits(int n, ...) {
    va_list list;
    va_start(list, n);
    int first = one(list);
    int second = one(list);
    va_end(list);
    return 10 * first + second;
}
int main(void) {
    assert(digits(2, 1, 2) == 12);
    return 0;
}
