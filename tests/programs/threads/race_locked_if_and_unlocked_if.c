// expect: true
// property: no-data-race
// Locked and accessed under the same condition.
#include <pthread.h>
#include <stdlib.h>
int data;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
extern int __VERIFIER_nondet_int(void);
void *worker(void *arg) {
  int c = __VERIFIER_nondet_int();
  if (c) pthread_mutex_lock(&m);
  if (c) data++;
  if (c) pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  pthread_mutex_lock(&m); data = 2; pthread_mutex_unlock(&m);
  return 0;
}
