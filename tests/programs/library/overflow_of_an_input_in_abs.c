// expect: false
// property: no-overflow
// The input is an argument of the function in which the violation is.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) { return abs(__VERIFIER_nondet_int()); }
