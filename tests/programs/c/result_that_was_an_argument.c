// expect: false
// What a function returns as void pointer need not be new.
#include <assert.h>
static void *same(void *p) { return p; }
int main(void) {
  int x = 5;
  unsigned char *bytes = same(&x);
  bytes[0] = 6;
  assert(x == 5);
  return 0;
}
