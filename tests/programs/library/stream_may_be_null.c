// expect: false(valid-deref)
// property: valid-memsafety
// Opening a file may fail.
#include <stdio.h>
int main(void) { char b[10]; FILE *f = fopen("/nonexistent", "r"); fgets(b, 10, f); return 0; }
