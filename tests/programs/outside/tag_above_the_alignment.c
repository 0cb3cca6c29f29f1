// expect: unknown
// data-model: LP64
// The fourth bit of an address is open.
#include <assert.h>
#include <stdint.h>
int main(void) {
  int x = 5;
  uintptr_t t = (uintptr_t)&x | 16;
  assert((t & 16) && (int *)(t & ~(uintptr_t)16) == &x);
  return 0;
}
