// expect: true
// property: no-data-race
// The last element is not written out.
#include <pthread.h>
#include <string.h>
#include <stdio.h>
#include <stdlib.h>
int a[3];
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *x) { a[2] = 120; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t,0,f,0);
  fwrite(a, 4, 2, stdout);
  pthread_join(t,0);
  return 0;
}
