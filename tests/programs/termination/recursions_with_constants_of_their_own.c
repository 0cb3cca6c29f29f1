// expect: true
// property: termination
// timeout: 10s
// That mc91 ends depends on what it returns: at least x - 10, with a constant of mc91. The rest of the program has many
// other constants.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static int sum_to(int n) {
  if (n <= 0)
    return 0;
  return n + sum_to(n - 1);
}

static int mc91(int x) {
  if (x > 100)
    return x - 10;
  return mc91(mc91(x + 11));
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000)
    return 0;
  assert(sum_to(n) >= n);
  int x = __VERIFIER_nondet_int();
  if (x > 100)
    return 0;
  assert(mc91(x) == 91);
  return 0;
}
