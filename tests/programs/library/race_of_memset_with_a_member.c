// expect: false(no-data-race)
// property: no-data-race
// The member is one of those that are set.
#include <pthread.h>
#include <string.h>
#include <stdio.h>
#include <stdlib.h>
struct S {int a; int b;} s;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *x) { memset(&s,0,sizeof s); return 0; }
int main(void) { pthread_t t;  pthread_create(&t,0,f,0); s.b = 1; pthread_join(t,0); return 0; }
