// expect: unknown
// may: false
// property: no-data-race
// A byte of an atomic number is written as a byte.
#include <pthread.h>
#include <stdatomic.h>
union {
  atomic_int whole;
  char bytes[4];
} u;
void *work(void *unused) {
  u.whole = 1;
  return 0;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, work, 0);
  u.bytes[1] = 2;
  pthread_join(id, 0);
  return 0;
}
