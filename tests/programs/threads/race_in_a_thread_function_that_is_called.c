// expect: false(no-data-race)
// may: unknown
// property: no-data-race
// The function runs as a thread, and main calls it as well: two threads write.
#include <pthread.h>
int shared;
void *writer(void *arg) {
  shared = 1;
  return 0;
}
void *creator(void *arg) {
  pthread_t id;
  pthread_create(&id, 0, writer, 0);
  return 0;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, creator, 0);
  creator(0);
  pthread_join(id, 0);
  return 0;
}
