// expect: true
// After a designator the next item goes to the part behind the one designated, also inside (C11 6.7.9p17).
#include <assert.h>
struct point { int x, y; };
struct holder { int a[4]; int z; };
struct nested { union { struct { int a, b; } s; int i; } u; int last; };
struct unnamed { struct { int i, j; }; int k, l; };
static struct holder global = {.a[1] = 3, 4, .z = 5};
int main(void) {
    struct holder h = {.a[2] = 5, 6};
    assert(h.a[2] == 5 && h.a[3] == 6 && h.z == 0);
    struct holder full = {.a[2] = 5, 6, 7};
    assert(full.a[3] == 6 && full.z == 7);
    assert(global.a[1] == 3 && global.a[2] == 4 && global.z == 5);
    struct point p[] = {[1].x = 1, 2};
    assert(sizeof p / sizeof *p == 2 && p[1].y == 2 && p[0].x == 0);
    struct nested n = {.u.s.a = 1, 2, 3};
    assert(n.u.s.b == 2 && n.last == 3);
    struct unnamed q = {.i = 1, 2, 3, 4};
    assert(q.j == 2 && q.k == 3 && q.l == 4);
    int m[2][2] = {[0][1] = 1, 2, 3};
    assert(m[0][1] == 1 && m[1][0] == 2 && m[1][1] == 3);
    return 0;
}
