// expect: false(no-deadlock)
// property: no-deadlock
// Both wait for the other one to post.
#include <pthread.h>
#include <semaphore.h>
sem_t a, b;
void *other(void *p) { sem_wait(&a); sem_post(&b); return 0; }
int main(void) {
  pthread_t t;
  sem_init(&a, 0, 0); sem_init(&b, 0, 0);
  pthread_create(&t, 0, other, 0);
  sem_wait(&b); sem_post(&a);
  pthread_join(t, 0);
  return 0;
}
