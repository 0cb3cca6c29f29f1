// expect: true
// property: valid-memsafety
#include <stdlib.h>
union U { int *p; unsigned long number; };
union U make(void) { union U u; u.p = malloc(sizeof(int)); return u; }
int main(void) {
    union U u = make(), v;
    if (!u.p) return 0;
    v = u;
    *v.p = 3;
    free(v.p);
    return 0;
}
