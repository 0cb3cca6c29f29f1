// expect: true
// What it writes has the type.
#include <assert.h>
void f(unsigned char *);
int main(void) { unsigned char x = 0; f(&x); assert(x < 256); return 0; }
