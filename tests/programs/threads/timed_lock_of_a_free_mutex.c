// expect: true
// A lock that nobody has is taken at once (POSIX): there is nothing to wait for.
#include <pthread.h>
#include <time.h>
extern void reach_error(void);
struct timespec until;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
  if (pthread_mutex_timedlock(&lock, &until) != 0) reach_error();
  return 0;
}
