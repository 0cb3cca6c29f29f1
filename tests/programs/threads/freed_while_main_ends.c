// expect: true
// property: valid-memsafety
// The block is reachable until it is freed: there is no moment between.
#include <pthread.h>
#include <stdlib.h>
int *block;
void *release(void *unused) {
  free(block);
  return 0;
}
int main(void) {
  pthread_t id;
  block = malloc(4);
  pthread_create(&id, 0, release, 0);
  return 0;
}
