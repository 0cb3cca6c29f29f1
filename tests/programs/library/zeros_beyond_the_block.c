// expect: false(valid-deref)
// property: valid-memsafety
// Nine bytes of eight.
#include <strings.h>
#include <stdlib.h>
int main(void) { int *p = malloc(8); if (!p) return 0; bzero(p, 9); free(p); return 0; }
