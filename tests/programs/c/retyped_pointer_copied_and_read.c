// expect: true
// The bytes of a short, read through a pointer that was copied from a void pointer.
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    short *number = malloc(sizeof *number);
    if (!number) return 0;
    *number = 0;
    void *any = number;
    unsigned char *bytes;
    memcpy(&bytes, &any, sizeof any);
    assert(bytes[1] == 0);
    free(number);
    return 0;
}
