// expect: true
// data-model: LP64
// What CBMC answers about pointers into live objects, freed ones and null.
#include <stdlib.h>
struct s { int a, b; };
int main(void) {
  int x[3];
  struct s s;
  char *p = malloc(10);
  __CPROVER_assert(__CPROVER_r_ok(x, sizeof x) && !__CPROVER_r_ok(x + 1, sizeof x), "array");
  __CPROVER_assert(__CPROVER_rw_ok(&s) && __CPROVER_rw_ok(&s.b) && !__CPROVER_w_ok(&s.b, 8), "member");
  __CPROVER_assert(__CPROVER_w_ok(p + 4, 6) && !__CPROVER_w_ok(p + 4, 7) && !__CPROVER_r_ok((char *)0, 1), "block");
  __CPROVER_assert(__CPROVER_OBJECT_SIZE(p + 3) == 10 && __CPROVER_POINTER_OFFSET(p + 3) == 3, "where");
  __CPROVER_assert(__CPROVER_OBJECT_SIZE(&s.b) == 8 && __CPROVER_POINTER_OFFSET(&s.b) == 4, "in a record");
  __CPROVER_assert(__CPROVER_same_object(x, x + 3) && !__CPROVER_same_object(x, &s), "same");
  __CPROVER_assert(__CPROVER_POINTER_OBJECT(x) == __CPROVER_POINTER_OBJECT(x + 2), "one");
  __CPROVER_assert(__CPROVER_POINTER_OBJECT(x) != __CPROVER_POINTER_OBJECT(p), "two");
  __CPROVER_assert(__CPROVER_DYNAMIC_OBJECT(p) && !__CPROVER_DYNAMIC_OBJECT(x), "heap");
  free(p);
  __CPROVER_assert(!__CPROVER_r_ok(p, 1), "gone");
  return 0;
}
