// expect: false(valid-deref)
// property: valid-memsafety
// args: --entry foo
// The pointer is only compared.
#include <assert.h>
void foo(int *p, int i) { int a[3]; if (p && i >= 0 && i < 4) a[i] = 1; }
