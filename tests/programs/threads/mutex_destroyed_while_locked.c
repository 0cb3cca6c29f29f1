// expect: unknown
// may: false
// glibc refuses to destroy a mutex that is locked.
#include <pthread.h>
extern void reach_error(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
  pthread_mutex_lock(&lock);
  if (pthread_mutex_destroy(&lock) != 0) reach_error();
  return 0;
}
