// expect: true
// property: no-data-race
// It may not be one that the outside cannot name.
#include <pthread.h>
static int g; extern int *get(void);
void *f(void *a) { *get() = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t,0,f,0); g = 2; pthread_join(t,0); return 0; }
