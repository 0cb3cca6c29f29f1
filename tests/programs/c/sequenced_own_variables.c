// expect: true
// What a function copies into its own variable is no business of other operands.
#include <string.h>
#include <assert.h>
static unsigned load(const void *p) { unsigned v; memcpy(&v, p, 4); return v; }
int main(void) { unsigned char b[8] = {1,0,0,0,2,0,0,0}; assert(load(b) + load(b + 4) == 3); return 0; }
