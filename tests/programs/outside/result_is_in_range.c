// expect: true
// Any of its type.
#include <assert.h>
unsigned char f(int);
int main(void) { assert(f(3) < 256); return 0; }
