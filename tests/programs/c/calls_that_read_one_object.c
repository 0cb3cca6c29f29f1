// expect: true
// Both calls only read what the same pointer leads to.
#include <assert.h>
#include <stdlib.h>
struct pair {
    int first, second;
};
static int first(const struct pair *p) {
    return p->first;
}
static int second(const struct pair *p) {
    return p->second;
}
int main(void) {
    struct pair *p = malloc(sizeof *p);
    if (!p) return 0;
    p->first = 1;
    p->second = 2;
    int sum = first(p) + second(p);
    assert(sum == 3);
    free(p);
    return 0;
}
