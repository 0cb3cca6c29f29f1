// expect: unknown
// property: no-data-race
// The exchange does not release what was written before it.
#include <pthread.h>
int ready, data;
static void *writer(void *unused) {
  data = 1;
  __sync_lock_test_and_set(&ready, 1);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  if (__sync_fetch_and_add(&ready, 0)) data++;
  pthread_join(t, 0);
  return 0;
}
