// expect: false
// What rand gives after a seed is not known here, but the way to the error does not depend on it.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int seen[2];
int main(void) {
    srand(1);
    int x = __VERIFIER_nondet_int();
    seen[0] = rand() % 10;
    seen[1] = x;
    if (seen[1] == 7) reach_error();
    return 0;
}
