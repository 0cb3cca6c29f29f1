// expect: false(no-data-race)
// property: no-data-race
// A member of an inner record, by a pointer to that record and by its owner.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, m2 = PTHREAD_MUTEX_INITIALIZER;
struct in{int x; int y;}; struct s{struct in p; struct in q;}; struct s*g; struct in *k;
void *t(void *a){ k->y=1; return 0;}
int main(){ pthread_t i; g=malloc(sizeof *g); k=&g->q; pthread_create(&i,0,t,0); g->q.y=2; return 0;}
