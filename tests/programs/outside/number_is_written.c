// expect: false(unreach-call)
// A function without body may write through its pointers.
#include <assert.h>
void f(int *);
int main(void) { int x = 0; f(&x); assert(x == 0); return 0; }
