// expect: unknown
// Constants may point to what is none.
#include <assert.h>
struct U { int v; int *p; }; void mutate(const struct U *u);
int main(void) { int x = 2; struct U u = {1, &x}; mutate(&u); assert(x == 2); return 0; }
