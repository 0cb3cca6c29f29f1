// expect: true
// property: no-data-race
// Both tellers hold the lock while they use the balance.
#include <pthread.h>

int balance = 0;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *deposit(void *amount) {
  pthread_mutex_lock(&lock);
  balance = balance + 10;
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, deposit, 0);
  pthread_create(&second, 0, deposit, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
