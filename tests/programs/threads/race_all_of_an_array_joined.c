// expect: true
// property: no-data-race
// All threads of an array are joined.
#include <pthread.h>
#include <stdlib.h>
int data;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *arg) { pthread_mutex_lock(&m); data++; pthread_mutex_unlock(&m); return 0; }
int main(void) {
  pthread_t ids[4];
  for (int i = 0; i < 4; i++) pthread_create(&ids[i], 0, worker, 0);
  for (int i = 0; i < 4; i++) pthread_join(ids[i], 0);
  data = 0;
  return 0;
}
