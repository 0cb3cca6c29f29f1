// expect: false(unreach-call)
// Zeros are a free mutex in glibc, whatever it was before.
#include <pthread.h>
#include <string.h>
extern void reach_error(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
  pthread_mutex_lock(&lock);
  memset(&lock, 0, sizeof lock);
  pthread_mutex_lock(&lock);
  reach_error();
  return 0;
}
