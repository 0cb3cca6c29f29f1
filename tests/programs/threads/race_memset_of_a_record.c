// expect: false(no-data-race)
// property: no-data-race
// A record is filled while another thread writes a member.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, m2 = PTHREAD_MUTEX_INITIALIZER;
struct s{int a; struct s*n;}; struct s*g;
void *t(void *a){ g->n=0; return 0;}
int main(){ pthread_t i; g=malloc(sizeof *g); pthread_create(&i,0,t,0); memset(g,0,sizeof *g); return 0;}
