// expect: false
// property: no-data-race
// The expected value is no atomic object.
#include <pthread.h>
#include <stdatomic.h>
int expected;
atomic_int state;
void *work(void *unused) {
  atomic_compare_exchange_strong(&state, &expected, 1);
  return 0;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, work, 0);
  expected = 2;
  pthread_join(id, 0);
  return 0;
}
