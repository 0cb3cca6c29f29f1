// expect: false(no-data-race)
// property: no-data-race
// The name is read.
#include <pthread.h>
#include <string.h>
#include <stdio.h>
#include <stdlib.h>
char b[8] = "x";
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *x) { b[0] = 65; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t,0,f,0);
  FILE *f = fopen(b, "r");
  if (f) fclose(f);
  pthread_join(t,0);
  return 0;
}
