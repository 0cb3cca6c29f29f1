// expect: false(valid-memtrack)
// property: valid-memsafety
#include <stdlib.h>
struct L { struct L *n; };
int main(void) {
    struct L *p = malloc(sizeof *p); p->n = malloc(sizeof *p); free(p); return 0;
}
