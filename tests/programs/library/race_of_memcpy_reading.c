// expect: false(no-data-race)
// property: no-data-race
// Copying is reading.
#include <pthread.h>
#include <string.h>
#include <stdio.h>
#include <stdlib.h>
int g, h;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *x) { int k; memcpy(&k,&g,sizeof g); return 0; }
int main(void) { pthread_t t;  pthread_create(&t,0,f,0); g = 1; pthread_join(t,0); return 0; }
