// expect: unknown
// may: false
// The initialiser of glibc makes a recursive mutex, in a record and by a pointer.
#include <pthread.h>
extern void reach_error(void);
struct guarded {
  int n;
  pthread_mutex_t lock;
} object = {0, PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP};
pthread_mutex_t *lock = &object.lock;
int main(void) {
  pthread_mutex_lock(lock);
  pthread_mutex_lock(&object.lock);
  reach_error();
  return 0;
}
