// expect: false(unreach-call)
// args: --entry foo
// The function is in a record.
#include <assert.h>
struct O { int (*f)(int); };
void foo(struct O o, int x) { assert(o.f(x) < 5); }
