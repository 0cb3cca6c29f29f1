// expect: false
// property: valid-memcleanup
#include <stdlib.h>
int main(void) {
    int *p = malloc(sizeof(int)); exit(0);
}
