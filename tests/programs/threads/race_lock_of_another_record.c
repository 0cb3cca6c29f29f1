// expect: false(no-data-race)
// property: no-data-race
// The lock of the first account does not protect the others.
#include <pthread.h>
#include <stdlib.h>
struct account { int balance; pthread_mutex_t lock; };
struct account accounts[8];
static void deposit(struct account *a, struct account *b, int n) {
  pthread_mutex_lock(&b->lock);
  a->balance += n;
  pthread_mutex_unlock(&b->lock);
}
void *worker(void *arg) {
  struct account *mine = arg;
  deposit(mine, &accounts[0], 1);
  return 0;
}
int main(void) {
  for (int i = 0; i < 8; i++) pthread_mutex_init(&accounts[i].lock, 0);
  pthread_t ids[8];
  for (int i = 0; i < 8; i++) pthread_create(&ids[i], 0, worker, &accounts[i / 2]);
  deposit(&accounts[3], &accounts[1], 2);
  return 0;
}
