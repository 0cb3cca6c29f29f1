// expect: false(unreach-call)
// args: --entry foo --pointers any
// Both parameters may be the same.
#include <assert.h>
void foo(int *p, int *q) { *p = 1; *q = 2; assert(*p == 1); }
