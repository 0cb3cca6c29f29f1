// expect: true
// property: valid-memsafety
// Three elements of three.
#include <stdio.h>
int main(void) { int a[3] = {1,2,3}; fwrite(a, sizeof(int), 3, stdout); return 0; }
