// expect: true
#include <assert.h>
#include <stdlib.h>
static int order(const void *a, const void *b) {
  const unsigned char *x = a, *y = b;
  return *x - *y;
}
int main(void) {
  unsigned char a[3] = {3, 1, 2};
  qsort(a, 3, 1, order);
  assert(a[0] == 1 && a[1] == 2 && a[2] == 3);
  unsigned char key = 2;
  assert(bsearch(&key, a, 3, 1, order) == a + 1);
  key = 5;
  assert(!bsearch(&key, a, 3, 1, order));
  return 0;
}
