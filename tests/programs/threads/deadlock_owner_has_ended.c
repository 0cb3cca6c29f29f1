// expect: false(no-deadlock)
// property: no-deadlock
// Nobody is left to release the mutex.
#include <pthread.h>
pthread_mutex_t m;
void *other(void *p) { pthread_mutex_lock(&m); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  pthread_join(t, 0);
  pthread_mutex_lock(&m);
  return 0;
}
