// expect: false(no-data-race)
// property: no-data-race
// One thread writes a member, another a byte of it.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, m2 = PTHREAD_MUTEX_INITIALIZER;
struct s{int a; struct s*n;}; struct s*g;
void *t(void *a){ g->a=1; return 0;}
int main(){ pthread_t i; g=malloc(sizeof *g); pthread_create(&i,0,t,0); *((char*)g+1)=2; return 0;}
