// A pointer to int may lead to the member of another object.
// expect: unknown
// args: --entry f --pointers object,may-alias
#include <assert.h>
struct s { int x; int y; };
void f(struct s *s, int *p) {
  s->x = 1;
  *p = 2;
  assert(s->x == 1);
}
