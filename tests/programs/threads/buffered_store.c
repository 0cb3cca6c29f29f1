// expect: false(unreach-call)
// A store that waits in a buffer for as long as somebody decides, as programs that simulate weak memory do it: both threads read 0.
#include <assert.h>
#include <pthread.h>
extern void *__VERIFIER_nondet_pointer(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int x = 0, y = 0, a = 1, b = 1, buffered = 0;
_Bool flushes;
void *first(void *p) {
  buffered = 1;
  a = y;
  __VERIFIER_atomic_begin();
  flushes = __VERIFIER_nondet_pointer();
  if (flushes) x = buffered;
  __VERIFIER_atomic_end();
  return __VERIFIER_nondet_pointer();
}
void *second(void *p) {
  y = 1;
  b = x;
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(!(a == 0 && b == 0 && flushes));
  return 0;
}
