// expect: true
// property: unreach-call
// An error-checking mutex tells its holder, and whoever has it not.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
pthread_mutex_t m;
void *worker(void *arg) {
  pthread_mutex_lock(&m);
  assert(pthread_mutex_lock(&m) == EDEADLK);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&m, &kind);
  assert(pthread_mutex_unlock(&m) == EPERM);
  pthread_t id;
  pthread_create(&id, 0, worker, 0);
  pthread_join(id, 0);
  return 0;
}
