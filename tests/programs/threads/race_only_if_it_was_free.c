// expect: true
// property: no-data-race
// The access only happens where trylock has succeeded.
#include <pthread.h>
#include <stdlib.h>
int data;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *arg) {
  if (pthread_mutex_trylock(&m) == 0) {
    data++;
    pthread_mutex_unlock(&m);
  } 
  return 0;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, worker, 0);
  pthread_mutex_lock(&m); data = 5; pthread_mutex_unlock(&m);
  return 0;
}
