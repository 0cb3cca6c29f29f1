// expect: false(no-data-race)
// property: no-data-race
// The node of the last turn is known to the others already.
#include <pthread.h>
#include <stdlib.h>
#include <semaphore.h>
#include <stdatomic.h>
extern int __VERIFIER_nondet_int(void);
int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, m2 = PTHREAD_MUTEX_INITIALIZER;
struct n{int v; struct n*next;}; struct n*head;
void *t(void *p){ struct n*prev=0; for(int k=0;k<3;k++){ struct n*q=malloc(sizeof *q); q->v=0; if(prev) prev->v=k; pthread_mutex_lock(&m); q->next=head; head=q; pthread_mutex_unlock(&m); prev=q;} return 0;}
int main(){ pthread_t i; pthread_create(&i,0,t,0); pthread_mutex_lock(&m); for(struct n*q=head;q;q=q->next) q->v=1; pthread_mutex_unlock(&m); return 0;}
