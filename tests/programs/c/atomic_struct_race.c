// expect: true
// property: no-data-race
#include <pthread.h>
struct s { int a, b; };
_Atomic struct s x;
void *f(void *p) { struct s t = {1, 2}; x = t; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); struct s u = {3, 4}; x = u; pthread_join(t, 0); return 0; }
