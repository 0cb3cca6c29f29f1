// expect: true
// property: no-overflow
// The checks depend on one counter; the flags around it have too many states.
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern int __VERIFIER_nondet_int(void);
int n;
int a, b, c, d, e, f, g, h;
static void work(void) {
    __VERIFIER_atomic_begin();
    a = b ? c : __VERIFIER_nondet_int();
    d = a > e ? f : g;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    h = d ? __VERIFIER_nondet_int() : a;
    e = h;
    f = a < b;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    b = e > f ? __VERIFIER_nondet_int() : h;
    c = b;
    g = d;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    n = n + 1;
    __VERIFIER_atomic_end();
}
void *first(void *unused) { work(); return 0; }
void *second(void *unused) { work(); return 0; }
void *third(void *unused) { work(); return 0; }
int main(void) {
    pthread_t x, y, z;
    pthread_create(&x, 0, first, 0);
    pthread_create(&y, 0, second, 0);
    pthread_create(&z, 0, third, 0);
    return 0;
}
