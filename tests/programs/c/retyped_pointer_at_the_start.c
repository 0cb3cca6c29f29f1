// expect: false(unreach-call)
// The first pointer of a record, seen as one of the second one's type.
#include <assert.h>
struct both {
    int *number;
    unsigned char *bytes;
};
int main(void) {
    int x = 5;
    unsigned char other[4] = {0};
    struct both both = {&x, other};
    ((unsigned char **)&both)[0][0] = 6;
    assert(x == 5);
    return 0;
}
