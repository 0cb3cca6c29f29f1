// expect: unknown
// may: true
// property: valid-memsafety
// A block whose address a number holds is not surely lost.
#include <stdint.h>
#include <stdlib.h>
static uintptr_t kept;
int main(void) {
  kept = (uintptr_t)malloc(4);
  return 0;
}
