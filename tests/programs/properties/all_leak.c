// expect: false(valid-memtrack)
// property: all
// data-model: LP64
#include <stdlib.h>
int main(void) { int *p = malloc(4); *p = 1; return 0; }
