// expect: unknown
// The end of an object may be the start of the next one (C11 6.5.9p6).
#include <assert.h>
int a[2], b[2];
int main(void) {
  assert(a + 2 != b);
  return 0;
}
