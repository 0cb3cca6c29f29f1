// expect: false(unreach-call)
// A barrier for no thread is refused (POSIX: EINVAL).
#include <pthread.h>
extern void reach_error(void);
pthread_barrier_t barrier;
int main(void) {
  if (pthread_barrier_init(&barrier, 0, 0) != 0) reach_error();
  return 0;
}
