// expect: false
// A block is seen as a number and as characters, which may look at any object.
#include <assert.h>
#include <stdlib.h>
int main(void) {
  void *block = malloc(8);
  if (!block) return 0;
  int *number = block;
  unsigned char *bytes = block;
  *number = 5;
  bytes[0] = 6;
  assert(*number == 5);
  return 0;
}
