// expect: false
// The order of equal elements is open.
#include <assert.h>
#include <stdlib.h>
static int tens(const void *a, const void *b) {
  const unsigned char *x = a, *y = b;
  return *x / 10 - *y / 10;
}
int main(void) {
  unsigned char a[2] = {11, 12};
  qsort(a, 2, 1, tens);
  assert(a[0] == 11);
  return 0;
}
