// expect: true
// property: no-data-race
// Each thread has its own errno, so there is no race.
#include <pthread.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
#include <errno.h>
void *f(void*a){ errno=1; return 0; }
int main(){ pthread_t t,u; pthread_create(&t,0,f,0); pthread_create(&u,0,f,0); return 0; }
