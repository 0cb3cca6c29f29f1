// expect: false(no-data-race)
// property: no-data-race
// The flag is set before the access.
#include <pthread.h>
#include <stdlib.h>
int data, ready;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
void *consumer(void *arg) {
  pthread_mutex_lock(&m);
  while (!ready) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  data++;
  return 0;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, consumer, 0);
  
  pthread_mutex_lock(&m); ready = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);
  data = 1;
  return 0;
}
