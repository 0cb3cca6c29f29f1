// expect: false
#include <assert.h>
int main(void) {
  const char *p = "abc";
  const char *q = p + 1;
  assert(q != p + 1);
  return 0;
}
