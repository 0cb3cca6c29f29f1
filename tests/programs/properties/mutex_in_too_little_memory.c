// expect: false(valid-deref)
// property: valid-memsafety
// The size of a pointer instead of that of a mutex, at either data model.
#include <pthread.h>
#include <stdlib.h>
int main(void) {
  pthread_mutex_t *m = malloc(sizeof(m));
  pthread_mutex_init(m, 0);
  free(m);
  return 0;
}
