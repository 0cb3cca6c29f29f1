// expect: true
// property: no-data-race
#include <pthread.h>
int x = 1;
void *t(void *a) { int y = x; return 0; }
int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); int z = x; pthread_join(p, 0); return z; }
