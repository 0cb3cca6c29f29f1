// expect: false(valid-deref)
// property: valid-memsafety
// data-model: LP64
#include <semaphore.h>
#include <stdlib.h>
int main(void) {
  sem_t *s = malloc(16);
  sem_init(s, 0, 1);
  free(s);
  return 0;
}
