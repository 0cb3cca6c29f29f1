// expect: false(no-data-race)
// property: no-data-race
// Input is stored.
#include <pthread.h>
#include <string.h>
#include <stdio.h>
#include <stdlib.h>
char b[4];
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *x) { char c = b[0]; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t,0,f,0);
  fgets(b, 4, stdin);
  pthread_join(t,0);
  return 0;
}
