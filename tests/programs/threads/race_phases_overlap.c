// expect: false(no-data-race)
// property: no-data-race
// Both threads run at the same time.
#include <pthread.h>
#include <stdlib.h>
int data;
void *first(void *arg) { data = 1; return 0; }
void *second(void *arg) { data = 2; return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0); pthread_join(b, 0);
  return 0;
}
