// expect: false(ltl)
// property: LTL(F "x == 1")
// Waking up for no reason is possible, but not sure.
#include <pthread.h>
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int main(void) {
  pthread_mutex_lock(&m);
  pthread_cond_wait(&c, &m);
  x = 1;
  return 0;
}
