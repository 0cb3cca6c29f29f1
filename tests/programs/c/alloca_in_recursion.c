// expect: false(valid-deref)
// property: valid-memsafety
#include <alloca.h>
int f(int k){ int *p = 0; if (k > 0) { f(k-1); } p = alloca(4); *p = k; return *p; }
int *g(int k){ if (k == 0) { int *q = alloca(4); *q = 1; return q; } return g(k-1); }
int main(void){ f(2); return *g(2); }
