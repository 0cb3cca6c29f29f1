// expect: false
// property: no-overflow
#include <limits.h>
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    unsigned long number = (unsigned long)&x;
    printf("%lu\n", number / 16);
    return x + 1 > 0;
}
