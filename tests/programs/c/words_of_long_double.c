// expect: true
// data-model: LP64
#include <assert.h>
union u { long double d; unsigned long w[2]; } g = { 2.0L };
int main(void){ assert(g.w[0] == 0x8000000000000000UL && (g.w[1] & 0xffff) == 0x4000); union u h; h.w[0] = 0xc000000000000000UL; h.w[1] = 0x4000; assert(h.d == 3.0L); return 0; }
