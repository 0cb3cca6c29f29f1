// expect: true
// property: undefined
// data-model: LP64
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) { assert(__VERIFIER_nondet_int() < 5); return 0; }
