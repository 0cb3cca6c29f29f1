// expect: false(no-data-race)
// property: no-data-race
// Unboundedly many threads, no lock.
#include <pthread.h>
#include <stdlib.h>
int counter;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *arg) {
  counter++;
  return 0;
}
extern int __VERIFIER_nondet_int(void);
int main(void) {
  pthread_t id;
  while (__VERIFIER_nondet_int()) pthread_create(&id, 0, worker, 0);
  return 0;
}
