// expect: unknown
#include <assert.h>
int main(void){ int x = 1, y = 0; x = x / y; assert(0); return x; }
