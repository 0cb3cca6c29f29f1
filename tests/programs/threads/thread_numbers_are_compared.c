// expect: true
// Threads that live have different names, and each its own.
#include <assert.h>
#include <pthread.h>
pthread_t first;
void *work(void *unused) {
  assert(!pthread_equal(first, pthread_self()));
  assert(first != pthread_self());
  return 0;
}
int main(void) {
  pthread_t id;
  first = pthread_self();
  pthread_create(&id, 0, work, 0);
  assert(first == pthread_self());
  pthread_join(id, 0);
  return 0;
}
