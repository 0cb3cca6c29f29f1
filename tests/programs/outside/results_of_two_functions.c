// expect: false(unreach-call)
// So may those of two functions.
#include <assert.h>
extern int *get(void), *other(void);
int main(void) { int *p = get(), *q = other(); *p = 1; *q = 2; assert(*p == 1); return 0; }
