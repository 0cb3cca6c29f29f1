// expect: unknown
// data-model: LP64
#include <assert.h>
#include <stdint.h>
int x, y;
int main(void) {
  uintptr_t a = (uintptr_t)&x | 1, b = (uintptr_t)&y | 1;
  assert(a < b);
  return 0;
}
