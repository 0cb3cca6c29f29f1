// expect: true
// property: no-data-race
#include <pthread.h>
int x, y;
void *worker0(void *arg) { __atomic_store_n(&x, 1, 5); return 0; }
void *worker1(void *arg) { y = __atomic_load_n(&x, 5); return 0; }
int main(void) {
    pthread_t t0, t1;
    pthread_create(&t0, 0, worker0, 0);
    pthread_create(&t1, 0, worker1, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    return 0;
}
