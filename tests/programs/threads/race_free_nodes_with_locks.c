// expect: true
// property: no-data-race
// Every node is protected by its own lock.
#include <pthread.h>
#include <stdlib.h>
#include <semaphore.h>
#include <stdatomic.h>
extern int __VERIFIER_nondet_int(void);
int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, m2 = PTHREAD_MUTEX_INITIALIZER;
struct n{int v; pthread_mutex_t l; struct n*next;}; struct n*head;
void *t(void *p){ for(struct n*q=head;q;q=q->next){ pthread_mutex_lock(&q->l); q->v++; pthread_mutex_unlock(&q->l);} return 0;}
int main(){ pthread_t i,j; for(int k=0;k<3;k++){struct n*q=malloc(sizeof *q); q->v=0; pthread_mutex_init(&q->l,0); q->next=head; head=q;} pthread_create(&i,0,t,0); pthread_create(&j,0,t,0); return 0;}
