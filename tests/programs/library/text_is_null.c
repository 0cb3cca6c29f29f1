// expect: false(valid-deref)
// property: valid-memsafety
// A text that is written is read.
#include <stdio.h>
int main(void) { char *s = 0; fputs(s, stdout); return 0; }
