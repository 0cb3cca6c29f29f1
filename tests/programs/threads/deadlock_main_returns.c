// expect: true
// property: no-deadlock
// The program ends with main, whoever waits.
#include <pthread.h>
#include <semaphore.h>
sem_t s;
void *other(void *p) { sem_wait(&s); return 0; }
int main(void) { pthread_t t; sem_init(&s, 0, 0); pthread_create(&t, 0, other, 0); return 0; }
