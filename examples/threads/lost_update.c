// expect: false(unreach-call)
// Two tellers read the balance before either of them writes it back: one deposit is lost.
#include <assert.h>
#include <pthread.h>

int balance = 0;

void *deposit(void *amount) {
  int seen = balance;
  balance = seen + 10;
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, deposit, 0);
  pthread_create(&second, 0, deposit, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(balance == 20);
  return 0;
}
