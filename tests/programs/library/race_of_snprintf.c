// expect: false(no-data-race)
// property: no-data-race
// The text is made in shared memory.
#include <pthread.h>
#include <string.h>
#include <stdio.h>
#include <stdlib.h>
char b[8];
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *x) { char k = b[0]; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t,0,f,0);
  snprintf(b, 8, "%d", 5);
  pthread_join(t,0);
  return 0;
}
