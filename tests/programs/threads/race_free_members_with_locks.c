// expect: true
// property: no-data-race
// Two members of each node, each protected by a lock.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, m2 = PTHREAD_MUTEX_INITIALIZER;
struct s{int a; int b; struct s*n;}; struct s*head;
void *t(void *q){ for(struct s*p=head;p;p=p->n){ pthread_mutex_lock(&m); p->a++; pthread_mutex_unlock(&m); pthread_mutex_lock(&m2); p->b++; pthread_mutex_unlock(&m2);} return 0;}
int main(){ pthread_t i,j; for(int k=0;k<5;k++){struct s*p=malloc(sizeof *p);p->a=0;p->b=0;p->n=head;head=p;} pthread_create(&i,0,t,0); pthread_create(&j,0,t,0); return 0;}
