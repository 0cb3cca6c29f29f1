// expect: true
// property: valid-memsafety
#include <stdlib.h>
struct node { int value; struct node *next; };
int main(void) {
    struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    a->next = b;
    b->next = 0;
    b->value = 3;
    a->value = a->next->value;
    free(a->next);
    free(a);
    return 0;
}
