// expect: false(no-data-race)
// may: unknown
// property: no-data-race
// The object is published through a pointer that is only sometimes its address.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int plain;
int *published;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *arg) {
  int *own = malloc(sizeof *own), *other;
  *own = 0;
  if (__VERIFIER_nondet_int()) other = own;
  else other = &plain;
  pthread_mutex_lock(&m);
  published = other;
  pthread_mutex_unlock(&m);
  *own = 1;
  return 0;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, worker, 0);
  pthread_mutex_lock(&m);
  if (published) *published = 2;
  pthread_mutex_unlock(&m);
  return 0;
}
