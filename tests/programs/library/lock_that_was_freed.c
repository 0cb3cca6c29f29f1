// expect: false(valid-deref)
// property: valid-memsafety
// The lock is gone when it is taken.
#include <pthread.h>
#include <stdlib.h>
int main(void) {
  pthread_mutex_t *m = malloc(sizeof *m);
  if(!m) return 0;
  pthread_mutex_init(m, 0);
  free(m);
  pthread_mutex_lock(m);
  return 0;
}
