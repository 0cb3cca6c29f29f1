// expect: false(unreach-call)
// args: --entry foo
// It may write through its pointers.
#include <assert.h>
typedef void (*F)(int *);
void foo(F f) { int x = 1; f(&x); assert(x == 1); }
