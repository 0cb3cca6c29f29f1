// expect: unknown
// property: valid-memsafety
// Without a declaration the function returns an int; that it may be 0 is no violation to be sure of.
struct item {
    int value;
    struct item *next;
};
int main(void)
{
    struct item *first = allocate_outside();
    first->value = 1;
    return 0;
}
