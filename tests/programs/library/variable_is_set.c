// expect: true
// property: valid-memsafety
// What is there is a text.
#include <stdlib.h>
int main(void) { char *t = getenv("HOME"); if (t && t[0]) return 1; return 0; }
