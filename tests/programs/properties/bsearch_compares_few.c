// expect: true
// property: no-overflow
// may: unknown
// timeout: 3s
// Only the comparison with an element that no binary search looks at overflows.
#include <stdlib.h>
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
  int a[3] = {-5, 0, 2147483647}, key = -3;
  return bsearch(&key, a, 3, sizeof *a, compare) != 0;
}
