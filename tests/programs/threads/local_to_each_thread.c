// expect: true
// Each thread counts in its own variable, which starts anew.
#include <assert.h>
#include <pthread.h>
_Thread_local int n = 5;
static __thread int m;
void count(void) { n++; m++; }
void *other(void *p) {
  count();
  count();
  assert(n == 7 && m == 2);
  return 0;
}
int main(void) {
  pthread_t s, t;
  n = 1;
  pthread_create(&s, 0, other, 0);
  pthread_create(&t, 0, other, 0);
  count();
  assert(n == 2 && m == 1);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(n == 2 && m == 1);
  return 0;
}
