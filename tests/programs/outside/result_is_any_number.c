// expect: false(unreach-call)
// Any result.
#include <assert.h>
int f(int);
int main(void) { assert(f(3) < 10); return 0; }
