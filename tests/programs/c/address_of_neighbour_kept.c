// expect: unknown
// may: false
// One of two arrays follows the other in memory; their addresses are kept as numbers.
#include <assert.h>
#include <stdint.h>
int main(void) {
    int a[2], b[2];
    uintptr_t end_a = (uintptr_t)(a + 2), start_b = (uintptr_t)b, end_b = (uintptr_t)(b + 2), start_a = (uintptr_t)a;
    assert(end_a != start_b && end_b != start_a);
    return 0;
}
