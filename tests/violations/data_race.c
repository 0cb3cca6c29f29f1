// property: no-data-race
#include <pthread.h>
int shared;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *writer(void *unused) {
  shared = 1;
  return 0;
}

int main(void) {
  pthread_t id;
  pthread_create(&id, 0, writer, 0);
  pthread_mutex_lock(&mutex);
  shared = 2;
  pthread_mutex_unlock(&mutex);
  pthread_join(id, 0);
  return 0;
}
