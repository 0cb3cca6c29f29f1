// expect: true
// property: no-deadlock
// Readers do not wait for readers.
#include <pthread.h>
pthread_rwlock_t r; pthread_mutex_t m;
void *one(void *p) { pthread_rwlock_rdlock(&r); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_rwlock_unlock(&r); return 0; }
void *two(void *p) { pthread_mutex_lock(&m); pthread_rwlock_rdlock(&r); pthread_rwlock_unlock(&r); pthread_mutex_unlock(&m); return 0; }
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, one, 0);
  pthread_create(&t, 0, two, 0);
  while (1) ;
}
