// expect: false(no-data-race)
// property: no-data-race
#include <pthread.h>
int x, y; void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
void *worker0(void *arg) { x = 1; return 0; }
void *worker1(void *arg) { __VERIFIER_atomic_begin(); y = x; __VERIFIER_atomic_end(); return 0; }
int main(void) {
    pthread_t t0, t1;
    pthread_create(&t0, 0, worker0, 0);
    pthread_create(&t1, 0, worker1, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    return 0;
}
