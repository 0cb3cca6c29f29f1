// expect: false(no-data-race)
// may: unknown
// property: no-data-race
// The thread's function calls itself, so it creates two threads that write.
#include <pthread.h>
int shared;
void *writer(void *arg) {
  shared = 1;
  return 0;
}
void *creator(void *arg) {
  if (arg) creator(0);
  pthread_t id;
  pthread_create(&id, 0, writer, 0);
  return 0;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, creator, &shared);
  pthread_join(id, 0);
  return 0;
}
