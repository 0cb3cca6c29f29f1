// expect: true
// property: no-data-race
#include <pthread.h>
int x;
void *one(void *a) { __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST); return 0; }
int main(void) { pthread_t p; pthread_create(&p, 0, one, 0); int t = __atomic_load_n(&x, __ATOMIC_SEQ_CST); pthread_join(p, 0); return t; }
