// expect: unknown
// may: false
// property: no-data-race
// The other thread may use the lock while it is initialised.
#include <pthread.h>
pthread_mutex_t lock;
void *work(void *unused) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return 0;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, work, 0);
  pthread_mutex_init(&lock, 0);
  pthread_join(id, 0);
  return 0;
}
