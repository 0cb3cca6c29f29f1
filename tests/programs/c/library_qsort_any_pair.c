// expect: false
// property: no-overflow
// Which elements are compared is not specified; glibc compares the last two.
#include <limits.h>
#include <stdlib.h>
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
  int a[3] = {0, -2, INT_MAX};
  qsort(a, 3, sizeof *a, compare);
  return 0;
}
