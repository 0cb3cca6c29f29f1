// expect: false(valid-deref)
// property: valid-memsafety
// The walk starts at the number of nodes instead of at 0, so that the only node is written behind the array.
#include <stdlib.h>
struct node {
    int value;
    struct node *left, *right;
};
static int in_order(struct node *tree, int *to, int at)
{
    if (!tree) return at;
    at = in_order(tree->left, to, at);
    to[at++] = tree->value;
    return in_order(tree->right, to, at);
}
int main(void)
{
    struct node *tree = calloc(1, sizeof *tree);
    int *values = calloc(1, sizeof *values);
    if (tree && values) in_order(tree, values, 1);
    free(values);
    free(tree);
    return 0;
}
