// expect: unknown
// may: false
// The numbers of two addresses of locals that are gone may be equal, and with gcc are.
#include <assert.h>
#include <stdint.h>
static uintptr_t __attribute__((noinline)) first(void) {
    int x = 1;
    return (uintptr_t)&x;
}
static uintptr_t __attribute__((noinline)) second(void) {
    int y = 2;
    return (uintptr_t)&y;
}
int main(void) {
    assert(first() != second());
    return 0;
}
