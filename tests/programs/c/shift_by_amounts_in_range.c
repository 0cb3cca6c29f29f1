// expect: true
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void){ int n = __VERIFIER_nondet_int(); if (n < 0 || n > 31) return 0; unsigned x = 1u << n; assert(x != 3); return 0; }
