// expect: false(unreach-call)
// Waiting for a lock may take too long.
#include <assert.h>
#include <pthread.h>
#include <time.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
  struct timespec until = { 0, 0 };
  pthread_mutex_lock(&lock);
  int result = pthread_mutex_timedlock(&lock, &until);
  assert(result == 0);
  return 0;
}
