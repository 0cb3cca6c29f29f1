// expect: true
// In the exact result, cut to the type of the target, which may be an operand.
#include <assert.h>
#include <limits.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = INT_MAX, y;
  assert(__builtin_add_overflow(x, 1, &x) && x == INT_MIN);
  assert(!__builtin_mul_overflow(3, 4, &y) && y == 12);
  unsigned u;
  assert(__builtin_sub_overflow(1u, 2u, &u) && u == UINT_MAX);
  unsigned char c;
  assert(__builtin_add_overflow(200, 100, &c) && c == 44);
  long long w;
  assert(__builtin_smulll_overflow(LLONG_MAX, 2, &w) && w == -2);
  unsigned long long v;
  assert(__builtin_mul_overflow(ULLONG_MAX, ULLONG_MAX, &v) && v == 1);
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  if (!__builtin_sadd_overflow(a, b, &y)) assert((long long)a + b == y);
  return 0;
}
