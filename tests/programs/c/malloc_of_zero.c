// expect: false(valid-deref)
// property: valid-memsafety
#include <stdlib.h>
int main(void) {
    char *p = malloc(0); p[0] = 1; free(p);
    return 0;
}
