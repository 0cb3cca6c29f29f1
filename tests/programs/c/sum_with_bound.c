// expect: true
// property: unreach-call
// The bound of n is compared only before the loop; without it the sum might wrap around.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  int i = 0, s = 0;
  if (n < 0 || n > 1000) return 0;
  while (i < n) {
    i++;
    s += 2;
  }
  assert(s == 2 * n);
  return 0;
}
