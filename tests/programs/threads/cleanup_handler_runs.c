// expect: true
// A handler runs when it is taken off with a number that is not zero.
#include <assert.h>
#include <pthread.h>
int n;
void handler(void *p) { n += *(int *)p; }
int main(void) {
  int one = 1, two = 2;
  pthread_cleanup_push(handler, &one);
  pthread_cleanup_push(handler, &two);
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(1);
  assert(n == 1);
  return 0;
}
