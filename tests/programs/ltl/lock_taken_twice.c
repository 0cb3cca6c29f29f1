// expect: false(ltl)
// property: LTL(F "x == 1")
// A lone thread that waits for a lock it holds itself waits for ever, and its last state is repeated.
#include <pthread.h>
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&m);
  x = 1;
  return 0;
}
