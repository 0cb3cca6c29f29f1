// expect: true
// Pointers to whole arrays are given to memcpy.
#include <assert.h>
#include <string.h>
int main(void) {
  char a[3] = "ab", b[3];
  memcpy(&b, &a, sizeof b);
  assert(b[0] == 'a' && b[1] == 'b' && b[2] == 0);
  return 0;
}
