// expect: unknown
// What lies at an address that the program makes of a number is not known.
#include <assert.h>
#include <stdint.h>
int main(void) {
    uintptr_t base = 0x40000000;
    volatile unsigned *status = (volatile unsigned *)(base + 4);
    if (*status & 1) assert(0);
    return 0;
}
