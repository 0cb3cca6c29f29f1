// expect: true
// property: no-data-race
// The lock is taken and released by functions.
#include <pthread.h>
#include <stdlib.h>
int data;
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void enter(pthread_mutex_t *m) { pthread_mutex_lock(m); }
static void leave(pthread_mutex_t *m) { pthread_mutex_unlock(m); }
void *worker(void *arg) { enter(&a); data++; leave(&a); return 0; }
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, worker, 0);
  enter(&a); data++; leave(&a);
  return 0;
}
