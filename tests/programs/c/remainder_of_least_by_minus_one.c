// expect: false(no-overflow)
// property: no-overflow
#include <limits.h>
int main(void){ int a = INT_MIN, b = -1; return a % b; }
