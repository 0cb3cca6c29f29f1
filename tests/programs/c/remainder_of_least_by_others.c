// expect: true
// property: no-overflow
#include <limits.h>
int main(void){ for (int b = -5; b < 6; b++) { if (b == 0 || b == -1) continue; int a = INT_MIN % b; if (a > 0) return 1; } return 0; }
