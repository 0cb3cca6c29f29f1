// expect: unknown
// may: false
// property: no-data-race
// One member is atomic, the other one at the same place is not.
#include <pthread.h>
#include <stdatomic.h>
union {
  atomic_int whole;
  int plain;
} u;
void *work(void *unused) {
  u.whole = 1;
  return 0;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, work, 0);
  u.plain = 2;
  pthread_join(id, 0);
  return 0;
}
