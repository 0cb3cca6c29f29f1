// expect: false(no-deadlock)
// property: no-deadlock
// Nobody signals: the other thread has ended when main waits.
#include <pthread.h>
pthread_mutex_t m=PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c=PTHREAD_COND_INITIALIZER, d=PTHREAD_COND_INITIALIZER; int k;
void *t(void*x){ pthread_mutex_lock(&m); k++; pthread_mutex_unlock(&m); return 0; }
int main(){ pthread_t p; pthread_create(&p,0,t,0); pthread_mutex_lock(&m); while(k<1) pthread_cond_wait(&c,&m); pthread_mutex_unlock(&m); return 0; }
