// expect: true
// data-model: LP64
#include <assert.h>
union u { long double d; unsigned char b[16]; };
int main(void){ union u x = {0}; x.d = 1.0L; assert(x.b[9] == 0x3f && x.b[8] == 0xff && x.b[7] == 0x80 && x.b[0] == 0); return 0; }
