// expect: false(valid-deref)
// property: valid-memsafety
#include <stdlib.h>
int main(void) {
    int *p = malloc(4), *q = p; p = realloc(p, 8); *q = 1; free(p);
    return 0;
}
