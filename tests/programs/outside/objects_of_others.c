// expect: false(unreach-call)
// Pointers that others have set.
#include <assert.h>
extern int *ep, *eq; int main(void) { *ep = 1; *eq = 2; assert(*ep == 1); return 0; }
