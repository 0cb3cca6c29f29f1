// expect: true
// A constant is not written.
#include <assert.h>
struct U { int v; int w; }; void look(const struct U *u);
int main(void) { struct U u = {1, 4}; look(&u); assert(u.v == 1); return 0; }
