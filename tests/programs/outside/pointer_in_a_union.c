// expect: unknown
// The same in a union.
#include <assert.h>
union U { long v; int *p; }; void mutate(union U u);
int main(void) { int x = 2; union U u; u.p = &x; mutate(u); assert(x == 2); return 0; }
