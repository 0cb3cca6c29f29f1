// expect: false(no-data-race)
// property: no-data-race
// Two record types for one block.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, m2 = PTHREAD_MUTEX_INITIALIZER;
struct a{int x; int y;}; struct b{int u; int v;}; void *g;
void *t(void *q){ ((struct b*)g)->v=1; return 0;}
int main(){ pthread_t i; g=malloc(8); pthread_create(&i,0,t,0); ((struct a*)g)->y=2; return 0;}
