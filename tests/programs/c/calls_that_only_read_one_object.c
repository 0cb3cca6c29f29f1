// Functions that are called in one expression and only read have no order that matters.
// expect: true
#include <assert.h>
static int get(const int *p) { return *p; }
int main(void) {
  int x = 4, *p = &x, *q = p;
  assert(get(p) + get(q) == 8);
  return 0;
}
