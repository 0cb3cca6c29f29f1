// expect: false(unreach-call)
#include <assert.h>
int main(void){ unsigned char b[8] = {1,2,3,4,5,6,7,8}; unsigned short v = *(unsigned short *)(b + 3); assert(v != 0x0504); return 0; }
