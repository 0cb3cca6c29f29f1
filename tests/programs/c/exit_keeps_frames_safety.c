// expect: true
// may: unknown
// property: valid-memsafety
#include <stdlib.h>
int main(void) {
    int *p = malloc(sizeof(int)); exit(0);
}
