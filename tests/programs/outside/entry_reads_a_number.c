// expect: false(unreach-call)
// args: --entry foo
// Any number is there.
#include <assert.h>
void foo(int *p) { assert(*p < 5); }
