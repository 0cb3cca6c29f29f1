// expect: true
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
unsigned gcd(unsigned a, unsigned b){ while (b != 0) { unsigned t = a % b; a = b; b = t; } return a; }
int main(void){ unsigned a = __VERIFIER_nondet_uint(); if (a > 20 || a == 0) return 0; unsigned g = gcd(a, 12); assert(g <= 12 || g <= a); return 0; }
