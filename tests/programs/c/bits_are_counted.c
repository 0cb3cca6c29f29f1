// expect: true
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  assert(__builtin_popcount(255) == 8 && __builtin_ctz(8) == 3 && __builtin_clz(1) == 31 && __builtin_parity(7) == 1);
  assert(__builtin_ffs(0) == 0 && __builtin_ffsll(1LL << 40) == 41 && __builtin_clzll(1) == 63);
  unsigned char c = __VERIFIER_nondet_uchar();
  assert(__builtin_popcount(c) <= 8);
  return 0;
}
