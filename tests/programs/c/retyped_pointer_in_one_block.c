// expect: false(unreach-call)
// One block holds a pointer that is written as one type and read as another.
#include <assert.h>
#include <stdlib.h>
int main(void) {
    int x = 5;
    void *block = malloc(sizeof(void *));
    if (!block) return 1;
    int **numbers = block;
    unsigned char **bytes = block;
    *numbers = &x;
    (*bytes)[0] = 6;
    assert(x == 5);
    free(block);
    return 0;
}
