// expect: true
// property: no-data-race
#include <pthread.h>
int lock, data;
static void *writer(void *unused) {
  while (__sync_lock_test_and_set(&lock, 1)) {
  }
  data++;
  __sync_lock_release(&lock);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  writer(0);
  pthread_join(t, 0);
  return 0;
}
