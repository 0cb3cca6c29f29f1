// expect: false(no-deadlock)
// property: no-deadlock
// One signal wakes one of two threads.
#include <pthread.h>
pthread_mutex_t m; pthread_cond_t c; int ready;
void *other(void *p) { pthread_mutex_lock(&m); while (!ready) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); return 0; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, other, 0);
  pthread_create(&u, 0, other, 0);
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
