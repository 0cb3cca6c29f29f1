// expect: false(unreach-call)
// One pointer, seen as two types by a union: both see the same object.
#include <assert.h>
union view {
    int *number;
    unsigned char *bytes;
};
int main(void) {
    int x = 5;
    union view v;
    v.number = &x;
    v.bytes[0] = 6;
    assert(x == 5);
    return 0;
}
