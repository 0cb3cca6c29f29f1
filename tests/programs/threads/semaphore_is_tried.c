// expect: true
// A semaphore counts, with threads or without.
#include <assert.h>
#include <semaphore.h>
int main(void) {
  sem_t s;
  int n;
  sem_init(&s, 0, 1);
  assert(sem_trywait(&s) == 0);
  assert(sem_trywait(&s) == -1);
  sem_post(&s);
  sem_getvalue(&s, &n);
  assert(n == 1);
  return 0;
}
