// expect: false(unreach-call)
// A weak comparison may fail although the values are equal (C11 7.17.7.4).
#include <pthread.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
#include <stdatomic.h>
_Atomic int x; void *f(void*a){ return 0; }
int main(){ pthread_t t; pthread_create(&t,0,f,0); int e=0; if(!atomic_compare_exchange_weak(&x,&e,1)) reach_error(); return 0; }
