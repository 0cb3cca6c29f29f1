// expect: unknown
// may: false
// What a copy of a lock is in is not modelled.
#include <pthread.h>
#include <string.h>
extern void reach_error(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
  pthread_mutex_lock(&lock);
  memcpy(&lock, &other, sizeof lock);
  pthread_mutex_lock(&lock);
  reach_error();
  return 0;
}
