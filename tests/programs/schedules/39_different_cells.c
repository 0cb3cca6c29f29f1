// expect: true
// property: no-data-race
#include <pthread.h>
int a[2];
void *t(void *p) { a[0] = 1; return 0; }
int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); a[1] = 2; pthread_join(p, 0); return 0; }
