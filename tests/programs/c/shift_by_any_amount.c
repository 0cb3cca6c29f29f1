// expect: false(unreach-call)
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void){ int n = __VERIFIER_nondet_int(); unsigned x = 1u << n; assert(x != 8); return 0; }
