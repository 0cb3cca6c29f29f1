// expect: false(unreach-call)
// Both pointers may lead to the same object.
#include <assert.h>
extern int *get(void);
int main(void) { int *p = get(), *q = get(); *p = 1; *q = 2; assert(*p == 1); return 0; }
