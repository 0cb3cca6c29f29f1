// expect: true
// property: termination
// A thread that waits for its own lock does not run: nothing is executed for ever.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&m);
  return 0;
}
