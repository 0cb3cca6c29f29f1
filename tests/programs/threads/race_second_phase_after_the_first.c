// expect: true
// property: no-data-race
// The second thread starts when the first has ended.
#include <pthread.h>
#include <stdlib.h>
int data;
void *first(void *arg) { data = 1; return 0; }
void *second(void *arg) { data = 2; return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_join(a, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(b, 0);
  data = 3;
  return 0;
}
