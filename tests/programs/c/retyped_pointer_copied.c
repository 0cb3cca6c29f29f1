// expect: false(unreach-call)
// A void pointer is copied, byte by byte, to where a pointer to characters lies.
#include <assert.h>
#include <string.h>
int main(void) {
    int x = 5;
    void *any = &x;
    unsigned char *bytes;
    memcpy(&bytes, &any, sizeof any);
    bytes[0] = 6;
    assert(x == 5);
    return 0;
}
