// expect: false
// The block of a loop has a new lock in every iteration.
#include <pthread.h>
extern void reach_error(void);
int main(void) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
  }
  reach_error();
  return 0;
}
