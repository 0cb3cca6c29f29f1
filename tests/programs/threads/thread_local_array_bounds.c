// expect: unknown
// may: false(valid-deref)
// property: valid-memsafety
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
_Thread_local int a[3];
void *run(void *x) {
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 3) return 0;
    a[i] = 3;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    return 0;
}
