// expect: unknown
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void){ unsigned x = __VERIFIER_nondet_uint(); if (x) return 0; int n = __builtin_clz(x); assert(0); return n; }
