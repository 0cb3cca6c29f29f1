// expect: false(unreach-call)
// A pointer to a number is copied byte by byte to where a pointer to characters lies.
#include <assert.h>
static void copy(char *to, const char *from) {
    for (unsigned i = 0; i < sizeof(void *); i++) to[i] = from[i];
}
int main(void) {
    int x = 5, *number = &x;
    unsigned char other[4] = {0}, *bytes = other;
    bytes[0] = 1;
    copy((char *)&bytes, (char *)&number);
    bytes[0] = 6;
    assert(x == 5);
    return 0;
}
