// expect: unknown
// property: valid-memsafety
// args: --entry foo
// Whoever called may have allocated it.
#include <stdlib.h>
void foo(int *p) { free(p); }
