// expect: false(unreach-call)
// A void pointer among variable arguments may be read as a pointer to characters (C11 7.16.1.1p2).
#include <assert.h>
#include <stdarg.h>
static void set(int n, ...) {
    va_list arguments;
    va_start(arguments, n);
    unsigned char *bytes = va_arg(arguments, unsigned char *);
    bytes[0] = 6;
    va_end(arguments);
}
int main(void) {
    int x = 5;
    set(1, (void *)&x);
    assert(x == 5);
    return 0;
}
