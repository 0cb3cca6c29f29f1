// expect: true
// Destroying a mutex that nobody has succeeds.
#include <pthread.h>
extern void reach_error(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  if (pthread_mutex_destroy(&lock) != 0) reach_error();
  return 0;
}
