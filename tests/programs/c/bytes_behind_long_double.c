// expect: false(unreach-call)
// data-model: LP64
#include <assert.h>
union u { long double d; unsigned char b[16]; };
int main(void){ union u x; x.d = 1.0L; assert(x.b[12] == 0); return 0; }
