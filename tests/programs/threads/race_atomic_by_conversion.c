// expect: unknown
// may: false
// property: no-data-race
// One thread accesses the number as an atomic one, the other does not: that is a race, which is not modelled.
#include <pthread.h>
#include <stdatomic.h>
int x;
void *add(void *unused) {
  atomic_fetch_add((atomic_int *)&x, 1);
  return 0;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, add, 0);
  x = 3;
  pthread_join(id, 0);
  return 0;
}
