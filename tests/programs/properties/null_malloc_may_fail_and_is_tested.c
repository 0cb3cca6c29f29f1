// expect: true
// property: no-null-dereference
// data-model: LP64
// args: --malloc-may-fail
#include <stdlib.h>
int main(void) { int *p = malloc(sizeof *p); if (!p) return 1; *p = 1; free(p); return 0; }
