// expect: false(valid-deref)
// property: valid-memsafety
// Four elements of three.
#include <stdio.h>
int main(void) { int a[3] = {1,2,3}; fwrite(a, sizeof(int), 4, stdout); return 0; }
