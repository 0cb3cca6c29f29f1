// expect: unknown
// may: false
// property: no-data-race
#include <pthread.h>
#include <stdatomic.h>
atomic_int ready;
int z;
memory_order order = memory_order_relaxed;
static void *first(void *p) {
  z = 1;
  atomic_store_explicit(&ready, 1, order);
  return p;
}
static void *second(void *p) {
  if (atomic_load(&ready)) z = 2;
  return p;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return z;
}
