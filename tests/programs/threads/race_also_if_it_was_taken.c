// expect: false(no-data-race)
// property: no-data-race
// The access also happens where trylock has failed.
#include <pthread.h>
#include <stdlib.h>
int data;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *arg) {
  if (pthread_mutex_trylock(&m) == 0) {
    data++;
    pthread_mutex_unlock(&m);
  } else { data--; }
  return 0;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, worker, 0);
  pthread_mutex_lock(&m); data = 5; pthread_mutex_unlock(&m);
  return 0;
}
