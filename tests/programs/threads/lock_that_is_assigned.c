// expect: unknown
// may: false
// The assignment sets the lock free again, which is not modelled.
#include <pthread.h>
extern void reach_error(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
  pthread_mutex_lock(&lock);
  lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  reach_error();
  return 0;
}
