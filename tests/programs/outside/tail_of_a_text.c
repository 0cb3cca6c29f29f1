// expect: unknown
// A literal may be stored as the tail of another one (C11 6.4.5p7).
#include <assert.h>
int main(void) {
  const char *p = "xabc", *q = "abc";
  assert(p + 1 != q);
  return 0;
}
