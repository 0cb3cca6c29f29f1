// expect: true
#include <assert.h>
static int x = (int){42};
struct P { int a, b; };
static struct P p = (struct P){1, 2};
int main(void) { assert(p.a == 1 && p.b == 2); assert(x == 42); return 0; }
