// expect: false(no-data-race)
// property: no-data-race
#include <pthread.h>
int x;
void *t(void *a) { ((char *)&x)[0] = 1; return 0; }
int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); x = 2; pthread_join(p, 0); return 0; }
