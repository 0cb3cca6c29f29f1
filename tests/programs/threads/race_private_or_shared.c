// expect: false(no-data-race)
// property: no-data-race
// The pointer is to a block of the thread, or to what all share.
#include <pthread.h>
#include <stdlib.h>
int g; extern int __VERIFIER_nondet_int(void);
void *f(void *a){ int *p = malloc(4); int *q = __VERIFIER_nondet_int() ? p : &g; *q = 1; return 0; }
int main(){ pthread_t a,b; pthread_create(&a,0,f,0); pthread_create(&b,0,f,0); pthread_join(a,0); pthread_join(b,0); return 0; }
