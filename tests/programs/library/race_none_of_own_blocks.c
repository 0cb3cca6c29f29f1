// expect: true
// property: no-data-race
// Every thread has a block of its own.
#include <pthread.h>
#include <string.h>
#include <stdio.h>
#include <stdlib.h>
int *p;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *x) { int *q = calloc(2,4); if (q) q[0]=1; free(q); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t,0,f,0);
  int *q = calloc(2,4);
  if (q) q[0]=1;
  free(q);
  pthread_join(t,0);
  return 0;
}
