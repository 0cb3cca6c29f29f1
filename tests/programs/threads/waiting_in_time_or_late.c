// expect: true
// The result is 0 or ETIMEDOUT.
#include <pthread.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
#include <errno.h>
#include <time.h>
pthread_mutex_t m=PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c=PTHREAD_COND_INITIALIZER;
void *f(void*a){ return 0; }
int main(){ pthread_t t; pthread_create(&t,0,f,0); struct timespec ts={0,0}; pthread_mutex_lock(&m); int r=pthread_cond_timedwait(&c,&m,&ts); pthread_mutex_unlock(&m); if (r==12345) reach_error(); return 0; }
