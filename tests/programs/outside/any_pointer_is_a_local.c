// expect: unknown
// Or the address of a local.
#include <assert.h>
extern void *__VERIFIER_nondet_pointer(void);
int main(void) {
  int x = 1, *q = &x;
  int *p = __VERIFIER_nondet_pointer();
  if (!p) return 0;
  *p = 2;
  assert(*q == 1);
  return 0;
}
