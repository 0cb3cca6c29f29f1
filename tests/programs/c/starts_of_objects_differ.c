// expect: true
#include <assert.h>
int a[2], b[2];
int main(void) {
  int *p = a + 1, *q = b;
  assert(a != b && p != q && p - 1 != q && "xabc" + 2 != (char *)a);
  return 0;
}
