// expect: false(unreach-call)
// data-model: LP64
// The bits of a pointer are kept in a double.
#include <assert.h>
#include <string.h>
int main(void) {
    int x = 5, *p = &x, *q;
    double bits, copy;
    memcpy(&bits, &p, sizeof p);
    copy = bits;
    memcpy(&q, &copy, sizeof q);
    *q = 6;
    assert(x == 5);
    return 0;
}
