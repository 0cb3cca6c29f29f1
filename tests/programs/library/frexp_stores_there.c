// expect: true
// property: valid-memsafety
// The same with room for it.
#include <math.h>
int main(void) { int e; double d = frexp(8.0, &e); return 0; }
