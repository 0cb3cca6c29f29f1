// expect: false(no-data-race)
// property: no-data-race
// The pointer to the lock changes while the lock is held.
#include <pthread.h>
#include <stdlib.h>
#include <semaphore.h>
#include <stdatomic.h>
extern int __VERIFIER_nondet_int(void);
int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, m2 = PTHREAD_MUTEX_INITIALIZER;
struct n{int v; pthread_mutex_t l;}; struct n A,B;
void *t(void *p){ struct n*a=&A; for(int k=0;k<2;k++){ pthread_mutex_lock(&a->l); if(k) a=&B; A.v++; pthread_mutex_unlock(&a->l); } return 0;}
int main(){ pthread_t i,j; pthread_mutex_init(&A.l,0);pthread_mutex_init(&B.l,0); pthread_create(&i,0,t,0); pthread_mutex_lock(&B.l); A.v++; pthread_mutex_unlock(&B.l); return 0;}
