// expect: false(valid-deref)
// property: valid-memsafety
#include <alloca.h>
int *f(void){ int *p = alloca(4); *p = 1; return p; }
int main(void){ int *q = f(); return *q; }
