// expect: false(valid-memtrack)
// property: valid-memsafety
#include <stdlib.h>
int *g;
int main(void) {
    g = malloc(4);
    int *p = malloc(4);
    free(g);
    g = 0;
    return p == 0;
}
