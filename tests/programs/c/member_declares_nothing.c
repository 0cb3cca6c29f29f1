// expect: true
// A struct with a tag and without a name declares no member (gcc without -fms-extensions).
#include <assert.h>
#include <stddef.h>
struct outer {
    int a;
    struct inner {
        int x;
    };
    int b;
};
struct anonymous {
    int a;
    struct {
        int x;
    };
    int b;
};
int main(void) {
    assert(sizeof(struct outer) == 2 * sizeof(int));
    assert(offsetof(struct anonymous, b) == 2 * sizeof(int));
    return 0;
}
