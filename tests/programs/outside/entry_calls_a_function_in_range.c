// expect: true
// args: --entry foo
// Its result has its type.
#include <assert.h>
typedef unsigned char (*F)(int);
void foo(F f) { assert(f(4) < 256); }
