// expect: false(unreach-call)
// Pointers of different types are set by a function that takes void **.
#include <assert.h>
static void get(void **out) {
    static int x = 5;
    *out = &x;
}
int main(void) {
    unsigned char *bytes;
    int *number;
    get((void **)&bytes);
    get((void **)&number);
    *number = 5;
    bytes[0] = 6;
    assert(*number == 5);
    return 0;
}
