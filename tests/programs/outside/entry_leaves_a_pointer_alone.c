// expect: false(unreach-call)
// args: --entry foo
// The violation has nothing to do with the pointer.
#include <assert.h>
void foo(int *p, int x) { if (!p) return; assert(x < 5); }
