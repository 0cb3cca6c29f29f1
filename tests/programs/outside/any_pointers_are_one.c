// expect: false(unreach-call)
// Any pointer may be any other.
#include <assert.h>
extern void *__VERIFIER_nondet_pointer(void);
int main(void) {
  int *p = __VERIFIER_nondet_pointer(), *q = __VERIFIER_nondet_pointer();
  if (!p || !q) return 0;
  *p = 1;
  *q = 2;
  assert(*p == 1);
  return 0;
}
