// expect: false(unreach-call)
// The variable of one thread is seen by another one through its address.
#include <assert.h>
#include <pthread.h>
_Thread_local int n;
void *other(void *p) {
  n = 1;
  *(int *)p = 2;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, &n);
  pthread_join(t, 0);
  assert(n == 0);
  return 0;
}
