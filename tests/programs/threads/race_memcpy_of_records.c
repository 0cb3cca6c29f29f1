// expect: false(no-data-race)
// property: no-data-race
// A stretch of records is read while another thread writes a member of one.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, m2 = PTHREAD_MUTEX_INITIALIZER;
struct s{int a; struct s*n; pthread_mutex_t l;}; struct s g[3],h[3];
void *t(void *a){ g[2].n=0; return 0;}
int main(){ pthread_t i; pthread_create(&i,0,t,0); memcpy(h,g,sizeof g); return 0;}
