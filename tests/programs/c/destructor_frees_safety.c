// expect: true
// property: valid-memcleanup
// What a destructor frees is freed at the end.
#include <stdlib.h>
static char *buffer;
__attribute__((constructor)) static void prepare(void) { buffer = malloc(8); }
__attribute__((destructor)) static void finish(void) { free(buffer); }
int main(void) {
  buffer[7] = 1;
  return 0;
}
