// expect: false(unreach-call)
// args: --entry foo
// The function that is handed over is not known.
#include <assert.h>
int identity(int n) { return n; }
typedef int (*F)(int);
void foo(F f) { assert(f(4) == 5); }
int main(void) { foo(&identity); return 0; }
