// expect: unknown
// The function may return what it was given.
#include <assert.h>
extern int *get(const int *);
int main(void) { int x = 1; int *p = get(&x); *p = 2; assert(x == 1); return 0; }
