// expect: true
// property: valid-memsafety
// The same with an end.
#include <stdlib.h>
int setenv(const char *, const char *, int);
int main(void) { char v[2] = "a"; return setenv("A", v, 1) != 0; }
