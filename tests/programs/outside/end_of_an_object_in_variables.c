// expect: unknown
#include <assert.h>
int a[2], b[2];
int main(void) {
  int *p = &b[2], *q = a;
  assert(p != q);
  return 0;
}
