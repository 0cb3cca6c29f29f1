// expect: true
// Nobody was told of it.
#include <assert.h>
extern int *get(void);
int main(void) { int x = 1, *q = &x; int *p = get(); *p = 2; assert(*q == 1); return 0; }
