// expect: false(unreach-call)
// args: --entry foo
// A list of two.
#include <assert.h>
struct S { int a; struct S *n; }; void foo(struct S *s) { if (s && s->n) assert(s->n->a < 5); }
