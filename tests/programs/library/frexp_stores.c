// expect: false(valid-deref)
// property: valid-memsafety
// The exponent is stored.
#include <math.h>
int main(void) { int *e = 0; double d = frexp(8.0, e); return d > 2; }
