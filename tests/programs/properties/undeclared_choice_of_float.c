// expect: false(unreach-call)
// property: unreach-call
// Functions that give any value have its type in their names, declared or not.
#include <assert.h>
int main(void) {
    float k = __VERIFIER_nondet_float();
    if (k == 1.5f && nondet_uint() == 3000000000u) {
        assert(0);
    }
    return 0;
}
