// expect: true
// Objects of different types are different.
#include <assert.h>
extern int *get(void); extern double *other(void);
int main(void) { int *p = get(); double *q = other(); *p = 1; *q = 2; assert(*p == 1); return 0; }
