// expect: true
// property: valid-memsafety
#include <pthread.h>
#include <stdlib.h>
struct account { pthread_mutex_t lock; int balance; };
int main(void) {
  struct account *a = malloc(sizeof *a);
  pthread_mutex_init(&a->lock, 0);
  pthread_mutex_lock(&a->lock);
  a->balance = 1;
  pthread_mutex_unlock(&a->lock);
  pthread_mutex_destroy(&a->lock);
  free(a);
  return 0;
}
