// expect: false(valid-deref)
// property: valid-memsafety
// The environment may lack it.
#include <stdlib.h>
#include <string.h>
int main(void) { char *t = getenv("CRAIG_NOT_SET"); return strlen(t) > 3; }
