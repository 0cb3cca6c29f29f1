// expect: false(no-deadlock)
// property: no-deadlock
// A normal mutex does not know that its owner locks it again.
#include <pthread.h>
pthread_mutex_t m;
int main(void) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); return 0; }
