// expect: false(no-deadlock)
// property: no-deadlock
// Two threads take two mutexes in different orders.
#include <pthread.h>

pthread_mutex_t savings = PTHREAD_MUTEX_INITIALIZER, current = PTHREAD_MUTEX_INITIALIZER;
int saved = 100, spent;

void *save(void *unused) {
  pthread_mutex_lock(&savings);
  pthread_mutex_lock(&current);
  saved++;
  spent--;
  pthread_mutex_unlock(&current);
  pthread_mutex_unlock(&savings);
  return 0;
}

void *spend(void *unused) {
  pthread_mutex_lock(&current);
  pthread_mutex_lock(&savings);
  saved--;
  spent++;
  pthread_mutex_unlock(&savings);
  pthread_mutex_unlock(&current);
  return 0;
}

int main(void) {
  pthread_t saver, spender;
  pthread_create(&saver, 0, save, 0);
  pthread_create(&spender, 0, spend, 0);
  pthread_join(saver, 0);
  pthread_join(spender, 0);
  return saved + spent;
}
