// expect: false(valid-memtrack)
// property: valid-memsafety
// The thread has ended, so its variable leads nowhere.
#include <pthread.h>
#include <stdlib.h>
void *work(void *unused) {
  int *block = malloc(4);
  if (block) *block = 1;
  return 0;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, work, 0);
  pthread_join(id, 0);
  return 0;
}
