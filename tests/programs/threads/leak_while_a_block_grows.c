// expect: unknown
// property: valid-memsafety
// Between the old block and the new one main may return.
#include <pthread.h>
#include <stdlib.h>
int *block;
void *grow(void *unused) {
  int *larger = realloc(block, 8);
  if (larger) block = larger;
  return 0;
}
int main(void) {
  pthread_t id;
  block = malloc(4);
  pthread_create(&id, 0, grow, 0);
  return 0;
}
