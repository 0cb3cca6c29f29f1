// expect: true
// property: no-data-race
// Recursion while a lock is held.
#include <pthread.h>
#include <stdlib.h>
int data;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void visit(int n) {
  if (n <= 0) return;
  data++;
  
  visit(n - 1);
  
}
extern int __VERIFIER_nondet_int(void);
void *worker(void *arg) {
  pthread_mutex_lock(&m); visit(__VERIFIER_nondet_int()); pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, worker, 0);
  pthread_mutex_lock(&m); data = 0; pthread_mutex_unlock(&m);
  return 0;
}
