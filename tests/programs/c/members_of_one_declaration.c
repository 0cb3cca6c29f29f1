// expect: true
// A struct that is defined where several members are declared is defined once.
#include <assert.h>
struct line {
    struct point {
        int x, y;
    } from, to, *middle;
    union {
        int n;
        char c;
    } first, second;
    enum kind { PLAIN, DASHED } kind, before;
};
int main(void) {
    struct line line = {{1, 2}, {3, 4}, 0, {5}, {6}, DASHED, PLAIN};
    struct point p = line.to;
    line.middle = &p;
    line.from = *line.middle;
    line.first = line.second;
    assert(line.from.x == 3 && line.first.n == 6 && line.kind == DASHED);
    return 0;
}
