// expect: unknown
// may: false
// What comes out of the assembler may be the pointer that goes in (as in Linux's RELOC_HIDE).
#include <assert.h>
int main(void) {
    int x = 5, *p = &x, *q;
    __asm__("" : "=r"(q) : "0"(p));
    *q = 6;
    assert(x == 5);
    return 0;
}
