// expect: false(no-data-race)
// property: no-data-race
// One thread may still be running when main writes.
#include <pthread.h>
#include <stdlib.h>
int shared;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *arg) {
  pthread_mutex_lock(&m); shared++; pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t a, b;
  shared = 1;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  
  shared = 0;
  return 0;
}
