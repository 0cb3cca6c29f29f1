// expect: true
#include <assert.h>
struct point { int x, y; };
union number { int whole; char c; };
int main(void) {
    struct point a[3] = {[0] = {1, 2}, [0 ... 2] = {3, 4}};
    assert(a[0].x == 3 && a[1].x == 3 && a[2].y == 4);
    struct point b[3] = {[1] = {1, 2}, [0 ... 2] = {.x = 5}};
    assert(b[1].x == 5 && b[1].y == 0);
    int k[3][3] = {[0 ... 2][0 ... 1] = 4, 9};
    assert(k[2][1] == 4 && k[0][0] == 4 && k[0][2] == 0 && k[2][2] == 9);
    static union number u = {.whole = 0x01020304, .c = 5};
    assert(u.c == 5);
    char named[7];
    assert(__builtin_object_size(named, 0) == 7 && __builtin_constant_p("abc"));
    return 0;
}
