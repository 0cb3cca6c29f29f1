// expect: true
// property: no-data-race
// What is written before the barrier is read after it.
#include <pthread.h>
pthread_barrier_t barrier;
int x, y;
void *other(void *p) {
  x = 1;
  pthread_barrier_wait(&barrier);
  return y ? p : 0;
}
int main(void) {
  pthread_t t;
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&t, 0, other, 0);
  y = 2;
  pthread_barrier_wait(&barrier);
  int z = x;
  pthread_join(t, 0);
  return z;
}
