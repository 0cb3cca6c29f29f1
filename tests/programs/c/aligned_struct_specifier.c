// expect: false(unreach-call)
#include <assert.h>
struct S { int x; };
struct T { char c; struct S __attribute__((aligned(16))) s; };
int main(void) { assert(sizeof(struct T) == 8); return 0; }
