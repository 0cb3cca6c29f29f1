// expect: true
// property: no-data-race
// The same under a lock.
#include <pthread.h>
#include <string.h>
#include <stdio.h>
#include <stdlib.h>
int g;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *x) {
  pthread_mutex_lock(&m);
  memset(&g,0,sizeof g);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t,0,f,0);
  pthread_mutex_lock(&m);
  g = 1;
  pthread_mutex_unlock(&m);
  pthread_join(t,0);
  return 0;
}
