// expect: false(no-data-race)
// property: no-data-race
// Two locks, taken by the same functions.
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
  enter(&b); data++; leave(&b);
  return 0;
}
