// expect: false(valid-deref)
// property: valid-memsafety
#include <alloca.h>
static inline __attribute__((always_inline)) char *g(void) { return alloca(10); }
int main(void){ char *p = g(); p[0] = 1; return p[0]; }
