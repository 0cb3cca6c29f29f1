// expect: false(valid-deref)
// property: valid-memsafety
// One byte is no time.
#include <time.h>
#include <stdlib.h>
int main(void) { time_t *t = malloc(1); if (!t) return 0; time(t); free(t); return 0; }
