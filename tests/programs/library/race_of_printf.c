// expect: false(no-data-race)
// property: no-data-race
// So is one by way of a format.
#include <pthread.h>
#include <string.h>
#include <stdio.h>
#include <stdlib.h>
char b[4] = "ab";
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *x) { b[1] = 120; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t,0,f,0);
  printf("%s\n", b);
  pthread_join(t,0);
  return 0;
}
