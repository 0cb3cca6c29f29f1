// expect: unknown
// may: false
// args: --entry f --globals any
// property: valid-memsafety
// The global may hold a block of the heap.
#include <stdlib.h>
static char *buffer;
int f(void) {
  free(buffer);
  buffer = 0;
  return 0;
}
