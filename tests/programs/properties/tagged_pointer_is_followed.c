// expect: false(valid-deref)
// may: unknown
// property: valid-memsafety
// data-model: LP64
#include <stdint.h>
int main(void) {
  int x = 5;
  uintptr_t t = (uintptr_t)&x | 2;
  return *(int *)t;
}
