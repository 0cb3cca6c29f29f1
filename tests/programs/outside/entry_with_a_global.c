// expect: unknown
// args: --entry foo --pointers any
// The parameter may be a global.
#include <assert.h>
int g; void foo(int *p) { g = 1; *p = 2; assert(g == 1); }
