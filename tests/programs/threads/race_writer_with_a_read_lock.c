// expect: false(no-data-race)
// property: no-data-race
// The writer only has a read lock.
#include <pthread.h>
#include <stdlib.h>
int data;
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
void *reader(void *arg) {
  pthread_rwlock_rdlock(&l);
  int x = data;
  pthread_rwlock_unlock(&l);
  return 0;
}
void *writer(void *arg) {
  pthread_rwlock_rdlock(&l);
  data++;
  pthread_rwlock_unlock(&l);
  return 0;
}
int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, reader, 0);
  pthread_create(&b, 0, writer, 0);
  pthread_create(&c, 0, reader, 0);
  return 0;
}
