// expect: false(unreach-call)
// data-model: LP64
struct p { int a; char b; } g; void klee_make_symbolic(void *, unsigned long, const char *);
#include <assert.h>
int main(void){ klee_make_symbolic(&g, sizeof g, "g"); assert(g.a != 77 || g.b != 5); return 0; }
