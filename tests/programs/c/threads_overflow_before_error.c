// The error is reached only by an execution that overflows before: it means nothing.
// expect: unknown
#include <pthread.h>
extern void reach_error(void);
int ready, x = 2147483647;
void *worker(void *arg) { ready = 1; x = x + 1; ready = 2; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    if (ready == 2 && x < 0) reach_error();
    return 0;
}
