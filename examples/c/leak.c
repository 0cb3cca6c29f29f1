// expect: false(valid-memtrack)
// property: valid-memsafety
// One of the two ways out of the function forgets the buffer.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int handle(int request) {
  char *buffer = malloc(16);
  if (buffer == 0) {
    return -1;
  }
  buffer[0] = 'x';
  if (request < 0) {
    return -1;
  }
  free(buffer);
  return 0;
}

int main(void) {
  return handle(__VERIFIER_nondet_int());
}
