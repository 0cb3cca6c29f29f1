// expect: true
// Who comes back from waiting holds the mutex, whatever its kind.
#include <pthread.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m; pthread_cond_t c=PTHREAD_COND_INITIALIZER; int done, seen;
void *f(void*a){ pthread_mutex_lock(&m); while(!done) pthread_cond_wait(&c,&m); seen=1; if (pthread_mutex_unlock(&m)!=0) reach_error(); return 0; }
int main(){ pthread_mutexattr_t at; pthread_mutexattr_init(&at); pthread_mutexattr_settype(&at,PTHREAD_MUTEX_ERRORCHECK); pthread_mutex_init(&m,&at);
 pthread_t t; pthread_create(&t,0,f,0); pthread_mutex_lock(&m); done=1; pthread_cond_signal(&c); pthread_mutex_unlock(&m); pthread_join(t,0);  return 0; }
