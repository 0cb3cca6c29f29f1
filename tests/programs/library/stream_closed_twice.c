// expect: false(valid-deref)
// property: valid-memsafety
// A stream ends with fclose.
#include <stdio.h>
int main(void) { FILE *f = fopen("/tmp", "r"); if (!f) return 0; fclose(f); fclose(f); return 0; }
