// expect: false(no-deadlock)
// property: no-deadlock
// The end that is waited for needs the mutex.
#include <pthread.h>
pthread_mutex_t m;
void *one(void *p) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return 0; }
int main(void) {
  pthread_t s;
  pthread_mutex_lock(&m);
  pthread_create(&s, 0, one, 0);
  pthread_join(s, 0);
  pthread_mutex_unlock(&m);
  return 0;
}
