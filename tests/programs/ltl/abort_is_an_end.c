// expect: false(ltl)
// property: LTL(F "x == 1")
// After abort the state stays as it is.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int x;
int main(void) {
  if (__VERIFIER_nondet_int()) abort();
  x = 1;
  return 0;
}
