// expect: true
// data-model: LP64
// What is passed as a pointer was a number and is a number again.
#include <assert.h>
#include <pthread.h>
static void *next(void *a) { return (void *)((long)a + 1); }
int main(void) {
  pthread_t t;
  void *r;
  pthread_create(&t, 0, next, (void *)41);
  pthread_join(t, &r);
  assert((long)r == 42);
  return 0;
}
