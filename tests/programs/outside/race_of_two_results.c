// expect: false(no-data-race)
// property: no-data-race
// Both threads may get the same object.
#include <pthread.h>
extern int *get(void);
void *f(void *a) { *get() = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t,0,f,0); *get() = 2; pthread_join(t,0); return 0; }
