// expect: true
// property: valid-memsafety
// Both threads have ended when main returns, and free what they allocate.
#include <pthread.h>
#include <stdlib.h>
void *work(void *unused) {
  int *block = malloc(4);
  free(block);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
