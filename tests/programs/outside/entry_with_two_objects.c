// expect: true
// args: --entry foo --pointers any
// The same, unless they are equal.
#include <assert.h>
void foo(int *p, int *q) { if (p == q) return; *p = 1; *q = 2; assert(*p == 1); }
