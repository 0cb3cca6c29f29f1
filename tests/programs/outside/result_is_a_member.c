// expect: unknown
// A member of what it can name.
#include <assert.h>
struct S { double d; int x; } g; extern int *get(void);
int main(void) { int *p = get(); g.x = 1; *p = 2; assert(g.x == 1); return 0; }
