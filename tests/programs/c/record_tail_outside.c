// expect: false(valid-deref)
// property: valid-memsafety
// data-model: LP64
// A copy of a record accesses the padding at its end.
#include <stdlib.h>
struct s { int a; char b; };
int main(void) {
  struct s *p = malloc(5), t;
  p->a = 1;
  p->b = 2;
  t = *p;
  free(p);
  return t.a;
}
