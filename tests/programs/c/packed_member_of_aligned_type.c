// expect: true
// What is packed has not the alignment of its typedef, only one that the member itself is given.
#include <assert.h>
#include <stddef.h>
typedef int wide __attribute__((aligned(16)));
struct packed_member {
    char c;
    wide x __attribute__((packed));
    char d;
};
struct packed {
    char c;
    wide x;
} __attribute__((packed));
struct four {
    char c;
    wide x __attribute__((packed, aligned(4)));
};
int main(void) {
    assert(sizeof(struct packed_member) == 6 && sizeof(struct packed) == 5);
    assert(offsetof(struct four, x) == 4 && sizeof(struct four) == 8);
    return 0;
}
