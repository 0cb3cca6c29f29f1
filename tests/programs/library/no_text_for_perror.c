// expect: true
// property: valid-memsafety
// A null pointer means no text.
#include <stdio.h>
int main(void) { char *s = 0; perror(s); return 0; }
