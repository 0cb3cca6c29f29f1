// expect: false(valid-deref)
// property: valid-memsafety
// The name is read.
#include <stdlib.h>
int main(void) { char *s = 0; char *t = getenv(s); return t != 0; }
