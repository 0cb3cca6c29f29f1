// property: unreach-call
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  int sum = 0;
  for (int i = 1; i <= n; i++) sum += i;
  assert(sum < 3 || n > 1000);
  return 0;
}
