// expect: false(no-overflow)
// property: no-overflow
// data-model: LP64
#include <limits.h>
int main(void){ long a = LONG_MIN; a %= -1; return (int)a; }
