// expect: unknown
// data-model: LP64
#include <assert.h>
int main(void){ long x = -1; x = x >> 64; assert(0); return (int)x; }
