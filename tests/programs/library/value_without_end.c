// expect: false(valid-deref)
// property: valid-memsafety
// The value is read up to its end.
#include <stdlib.h>
int setenv(const char *, const char *, int);
int main(void) { char v[2] = {97, 98}; return setenv("A", v, 1) != 0; }
