// expect: true
// And nothing else.
#include <assert.h>
struct U { int v; int *p; }; void mutate(struct U u);
int main(void) {
  int x = 2, y = 3, *q = &y;
  struct U u = {1, &x};
  mutate(u);
  assert(*q == 3 && u.v == 1 && u.p == &x);
  return 0;
}
