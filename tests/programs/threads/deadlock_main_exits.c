// expect: false(no-deadlock)
// property: no-deadlock
// Main has left, and nobody posts.
#include <pthread.h>
#include <semaphore.h>
sem_t s;
void *other(void *p) { sem_wait(&s); return 0; }
int main(void) { pthread_t t; sem_init(&s, 0, 0); pthread_create(&t, 0, other, 0); pthread_exit(0); }
