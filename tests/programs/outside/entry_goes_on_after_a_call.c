// expect: false(unreach-call)
// args: --entry foo
// It may come back.
#include <assert.h>
typedef void (*F)(int);
void foo(F f, int x) { f(x); assert(x < 5); }
