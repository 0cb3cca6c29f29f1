// expect: true
// property: no-overflow
#include <stdlib.h>
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
  int a[3] = {7, -2, 3};
  qsort(a, 3, sizeof *a, compare);
  return 0;
}
