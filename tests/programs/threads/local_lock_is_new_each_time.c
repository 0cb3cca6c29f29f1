// expect: false
// Each call has a lock of its own, which is free.
#include <pthread.h>
extern void reach_error(void);
static void once(void) {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
}
int main(void) {
  once();
  once();
  reach_error();
  return 0;
}
