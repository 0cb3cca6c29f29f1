// expect: true
// property: no-deadlock
// It was released in between.
#include <pthread.h>
pthread_mutex_t m;
int main(void) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_mutex_lock(&m); return 0; }
