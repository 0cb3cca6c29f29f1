// expect: unknown
// may: false
// property: no-data-race
// That the lock was taken orders nothing.
#include <errno.h>
#include <pthread.h>
int x;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *work(void *unused) {
  x = 1;
  pthread_mutex_lock(&lock);
  return 0;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, work, 0);
  if (pthread_mutex_trylock(&lock) == EBUSY) x = 2;
  return 0;
}
