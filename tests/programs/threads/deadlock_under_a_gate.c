// expect: true
// property: no-deadlock
// Two orders, but never at the same time.
#include <pthread.h>
pthread_mutex_t g, a, b;
void *one(void *p) {
  pthread_mutex_lock(&g);
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&g);
  return 0;
}
void *two(void *p) {
  pthread_mutex_lock(&g);
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&g);
  return 0;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, one, 0);
  pthread_create(&t, 0, two, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
