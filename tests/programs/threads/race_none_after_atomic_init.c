// expect: true
// property: no-data-race
// Before there are threads, what is initialised is nobody else's: here, and in a function that is called there.
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
pthread_mutex_t lock;
int n;
void *work(void *unused) {
  x = 1;
  y = 1;
  pthread_mutex_lock(&lock);
  n++;
  pthread_mutex_unlock(&lock);
  return 0;
}
static void prepare(void) {
  atomic_init(&y, 2);
  pthread_mutex_init(&lock, 0);
}
int main(void) {
  pthread_t id;
  atomic_init(&x, 2);
  prepare();
  pthread_create(&id, 0, work, 0);
  x = 3;
  pthread_mutex_lock(&lock);
  n++;
  pthread_mutex_unlock(&lock);
  pthread_join(id, 0);
  return 0;
}
