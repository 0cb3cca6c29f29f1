// expect: unknown
// may: false
// property: no-data-race
// Both threads may read 0 and then write z: only sequentially consistent operations exclude that.
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
int z;
static void *first(void *p) {
  atomic_store_explicit(&x, 1, memory_order_release);
  if (!atomic_load_explicit(&y, memory_order_acquire)) z = 1;
  return p;
}
static void *second(void *p) {
  atomic_store_explicit(&y, 1, memory_order_release);
  if (!atomic_load_explicit(&x, memory_order_acquire)) z = 2;
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
