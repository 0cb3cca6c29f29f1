// expect: true
// Both rounds separate.
#include <assert.h>
#include <pthread.h>
pthread_barrier_t barrier;
int x;
void *other(void *p) {
  x = 1;
  pthread_barrier_wait(&barrier);
  pthread_barrier_wait(&barrier);
  x = 2;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&t, 0, other, 0);
  pthread_barrier_wait(&barrier);
  assert(x == 1);
  pthread_barrier_wait(&barrier);
  pthread_join(t, 0);
  return 0;
}
