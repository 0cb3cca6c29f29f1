// expect: unknown
// property: no-overflow
#include <limits.h>
int main(void) {
    int x = INT_MAX;
    unsigned long number = (unsigned long)&x;
    if (number < 1000000) x++;
    return 0;
}
