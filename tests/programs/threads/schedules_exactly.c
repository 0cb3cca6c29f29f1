// expect: true
// engine: auto, execution
// Two threads take turns at a sum: all orders of their steps together reach 144 at most (a Fibonacci number), never 145.
#include <pthread.h>
extern void reach_error(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int i = 1, j = 1;
void *first(void *unused)
{
    for (int k = 0; k < 5; k++) {
        __VERIFIER_atomic_begin();
        i += j;
        __VERIFIER_atomic_end();
    }
    return 0;
}
void *second(void *unused)
{
    for (int k = 0; k < 5; k++) {
        __VERIFIER_atomic_begin();
        j += i;
        __VERIFIER_atomic_end();
    }
    return 0;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    __VERIFIER_atomic_begin();
    if (i > 144 || j > 144) reach_error();
    __VERIFIER_atomic_end();
    return 0;
}
