// expect: false(unreach-call)
// What a member points to may change.
#include <assert.h>
struct U { int v; int *p; }; void mutate(struct U u);
int main(void) { int x = 2; struct U u = {1, &x}; mutate(u); assert(x == 2); return 0; }
