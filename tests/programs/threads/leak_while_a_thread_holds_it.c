// expect: unknown
// property: valid-memsafety
// When main returns, a variable of a thread that still runs may lead to the block.
#include <pthread.h>
#include <stdlib.h>
void *work(void *unused) {
  int *block = malloc(4);
  free(block);
  return 0;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, work, 0);
  return 0;
}
