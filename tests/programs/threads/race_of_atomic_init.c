// expect: unknown
// may: false
// property: no-data-race
// Initialising an atomic object is no atomic access of it.
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
void *work(void *unused) {
  x = 1;
  return 0;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, work, 0);
  atomic_init(&x, 2);
  pthread_join(id, 0);
  return 0;
}
