// expect: unknown
// property: no-null-dereference
// args: --entry third --pointers object
// Pointers are objects, as the user says; only the analysis makes no more than a few of them.
struct node {
    struct node *next;
    int value;
};
int third(struct node *p) {
    return p->next->next->next->value;
}
