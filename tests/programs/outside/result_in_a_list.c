// expect: false(unreach-call)
// Records with pointers, too.
#include <assert.h>
struct S { int a; struct S *n; }; extern struct S *get(void);
int main(void) { struct S *p = get(), *q = get(); p->a = 1; q->a = 2; assert(p->a == 1); return 0; }
