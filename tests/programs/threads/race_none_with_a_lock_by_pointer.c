// expect: true
// property: no-data-race
// Both threads take the lock, one of them by a pointer to the function.
#include <pthread.h>
int x;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *work(void *p) {
  int (*acquire)(pthread_mutex_t *) = pthread_mutex_lock;
  acquire(p);
  x++;
  pthread_mutex_unlock(p);
  return 0;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, work, &lock);
  pthread_mutex_lock(&lock);
  x++;
  pthread_mutex_unlock(&lock);
  pthread_join(id, 0);
  return 0;
}
