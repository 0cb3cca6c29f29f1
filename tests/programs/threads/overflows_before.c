// expect: unknown
// The assertion fails only after a signed overflow, which is undefined: no schedule counts.
#include <assert.h>
#include <pthread.h>
int big = 2147483647;
int done = 0;
void *work(void *p) {
  big = big + 1;
  done = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  assert(!done);
  return 0;
}
