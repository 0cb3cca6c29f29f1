// expect: true
// The thread cannot run while main holds the lock.
#include <pthread.h>
extern void reach_error(void);
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *work(void *arg) {
    pthread_mutex_lock(&m);
    if (x == 0) reach_error();
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_mutex_lock(&m);
    pthread_create(&t, 0, work, 0);
    x = 1;
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
