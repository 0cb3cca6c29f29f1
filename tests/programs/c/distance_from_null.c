// expect: unknown
// may: false
// The distance of a pointer from null is the number of its address.
#include <assert.h>
#include <stddef.h>
int main(void) {
    int x = 5;
    ptrdiff_t distance = (char *)&x - (char *)0;
    char *p = 0;
    p += distance;
    *(int *)p = 6;
    assert(x == 5);
    return 0;
}
