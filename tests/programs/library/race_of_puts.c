// expect: false(no-data-race)
// property: no-data-race
// A text that is written out is read.
#include <pthread.h>
#include <string.h>
#include <stdio.h>
#include <stdlib.h>
char b[4] = "ab";
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *x) { b[0] = 120; return 0; }
int main(void) { pthread_t t;  pthread_create(&t,0,f,0); puts(b); pthread_join(t,0); return 0; }
