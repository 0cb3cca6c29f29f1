// expect: true
// property: LTL(F G "x == 1")
// Nothing happens after the second lock.
#include <pthread.h>
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
  x = 1;
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&m);
  x = 2;
  return 0;
}
