// expect: true
// property: no-data-race
#include <pthread.h>
int x;
void *t(void *a) { x = 2; return 0; }
int main(void) { pthread_t p; x = 1; pthread_create(&p, 0, t, 0); pthread_join(p, 0); return x; }
