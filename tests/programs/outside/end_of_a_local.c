// expect: unknown
#include <assert.h>
int main(void) {
  int x = 1, y = 2;
  int *p = &x + 1, *q = &y + 1;
  if (p == &y || q == &x) return 0;
  assert(0);
}
