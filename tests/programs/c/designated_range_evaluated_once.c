// expect: unknown
// may: true
// GCC evaluates the value once.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int a[2] = {[0 ... 1] = __VERIFIER_nondet_int()};
    assert(a[0] == a[1]);
    return 0;
}
