// expect: true
// property: no-data-race
// A lock that its owner may take again: nobody owns it while the number is 0, which is that of no thread.
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic pthread_t owner;
static int shared;
static void take(void) {
    if (owner != pthread_self()) {
        pthread_mutex_lock(&lock);
        owner = pthread_self();
    }
}
static void leave(void) {
    owner = 0;
    pthread_mutex_unlock(&lock);
}
static void *worker(void *unused) {
    take();
    shared++;
    leave();
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    take();
    shared++;
    leave();
    pthread_join(thread, 0);
    return 0;
}
