// expect: true
// property: unreach-call
// A recursive mutex counts how often its holder has it.
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m;
int shared;
void *worker(void *arg) {
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&m);
  int before = shared;
  shared = before + 1;
  pthread_mutex_unlock(&m);
  assert(shared == before + 1);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&m, &kind);
  pthread_t id;
  pthread_create(&id, 0, worker, 0);
  worker(0);
  pthread_join(id, 0);
  assert(shared == 2);
  return 0;
}
