// expect: true
// property: no-overflow
#include <limits.h>
int main(void){ short a = SHRT_MIN; int b = a % -1; signed char c = -128; c %= -1; return b + c; }
