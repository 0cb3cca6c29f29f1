// expect: unknown
// data-model: LP64
#include <assert.h>
int a[2], b[2];
int main(void) {
  assert((unsigned long)(a + 2) != (unsigned long)b);
  return 0;
}
