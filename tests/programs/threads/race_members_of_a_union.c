// expect: false(no-data-race)
// property: no-data-race
// Members of a union are one location, whatever their types.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, m2 = PTHREAD_MUTEX_INITIALIZER;
union u{int i; int *p; float f;}; union u *g;
void *t(void *a){ g->i=1; return 0;}
int main(){ pthread_t i; g=malloc(sizeof *g); pthread_create(&i,0,t,0); g->p=0; return 0;}
