// expect: false(unreach-call)
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void){ int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(); int c = a / b; assert(c != 5); return 0; }
