// expect: false(unreach-call)
// The table's function releases the same lock.
#include <pthread.h>
extern void reach_error(void);
struct operations {
  int (*acquire)(pthread_mutex_t *);
  int (*release)(pthread_mutex_t *);
} operations = {pthread_mutex_lock, pthread_mutex_unlock};
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void leave(pthread_mutex_t *p) { operations.release(p); }
int main(void) {
  pthread_mutex_lock(&lock);
  leave(&lock);
  pthread_mutex_lock(&lock);
  reach_error();
  return 0;
}
