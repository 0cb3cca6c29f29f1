// expect: false(no-deadlock)
// property: no-deadlock
// The function that runs once needs a mutex that is taken.
#include <pthread.h>
pthread_once_t o = PTHREAD_ONCE_INIT; pthread_mutex_t m;
void init(void) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); }
void *other(void *p) { pthread_once(&o, init); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, other, 0); pthread_mutex_lock(&m); pthread_once(&o, init); pthread_mutex_unlock(&m); pthread_join(t, 0); return 0; }
