// expect: true
typedef unsigned long pthread_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
extern void reach_error(void);
int x, y;
void __VERIFIER_atomic_step(void) { x++; y++; }
void *both(void *arg) {
    __VERIFIER_atomic_step();
    __VERIFIER_atomic_begin();
    if (x != y) reach_error();
    __VERIFIER_atomic_end();
    return 0;
}
int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, both, 0);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    if (x != 2) reach_error();
    return 0;
}
