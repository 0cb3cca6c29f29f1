// expect: false(no-deadlock)
// property: no-deadlock
// The signal may come before anybody waits.
#include <pthread.h>
pthread_mutex_t m; pthread_cond_t c;
void *other(void *p) { pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  pthread_mutex_lock(&m);
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
