// expect: true
// property: no-data-race
// Unboundedly many threads under one lock.
#include <pthread.h>
#include <stdlib.h>
int counter;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *arg) {
  pthread_mutex_lock(&m); counter++; pthread_mutex_unlock(&m);
  return 0;
}
extern int __VERIFIER_nondet_int(void);
int main(void) {
  pthread_t id;
  while (__VERIFIER_nondet_int()) pthread_create(&id, 0, worker, 0);
  return 0;
}
