// expect: false(no-data-race)
// property: no-data-race
#include <pthread.h>
#include <assert.h>
struct s { int a, b; };
_Atomic struct s x; struct s y;
void *f(void *p) { struct s t = {1, 1}; y = t; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); struct s u = y; assert(u.a == u.b); pthread_join(t, 0); return 0; }
