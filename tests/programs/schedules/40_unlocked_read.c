// expect: false(no-data-race)
// property: no-data-race
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *one(void *a) { pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t p; pthread_create(&p, 0, one, 0); int t = x; pthread_join(p, 0); return t; }
