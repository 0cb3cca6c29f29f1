// expect: true
#include <assert.h>
#include <stdlib.h>
static int compare(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return x < y ? -1 : x > y;
}
int main(void) {
  int a[4] = {1, 3, 5, 7}, key = 5, none = 4;
  int *found = bsearch(&key, a, 4, sizeof *a, compare);
  assert(found == a + 2 && bsearch(&none, a, 4, sizeof *a, compare) == 0);
  return 0;
}
