// expect: true
#include <assert.h>
int main(void){ unsigned a[2] = {0x04030201, 0x08070605}; unsigned v = *(unsigned *)((char *)a + 1); assert(v == 0x05040302); return 0; }
