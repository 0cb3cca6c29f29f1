// expect: unknown
#include <assert.h>
int main(void){ unsigned x = 1; int n = 32; x = x << n; assert(0); return x; }
