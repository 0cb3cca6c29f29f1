// property: unreach-call
#include <assert.h>
#include <pthread.h>
int counter = 0;

void *increment(void *unused) {
  int local = counter;
  counter = local + 1;
  return 0;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, increment, 0);
  pthread_create(&two, 0, increment, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  assert(counter == 2);
  return 0;
}
