// expect: false(no-data-race)
// property: no-data-race
// A barrier for one holds nobody up.
#include <pthread.h>
pthread_barrier_t barrier;
int x;
void *other(void *p) {
  x = 1;
  pthread_barrier_wait(&barrier);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_barrier_init(&barrier, 0, 1);
  pthread_create(&t, 0, other, 0);
  pthread_barrier_wait(&barrier);
  int z = x;
  pthread_join(t, 0);
  return z;
}
