// expect: false(unreach-call)
// may: unknown
// It runs when the thread ends inside, too.
#include <assert.h>
#include <pthread.h>
int n;
void handler(void *p) { n = 1; }
void *other(void *p) {
  pthread_cleanup_push(handler, 0);
  pthread_exit(0);
  pthread_cleanup_pop(0);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  pthread_join(t, 0);
  assert(n == 0);
  return 0;
}
