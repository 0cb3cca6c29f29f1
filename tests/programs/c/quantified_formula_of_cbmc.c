// expect: unknown
// may: true
// CBMC's quantifiers are not modelled.
int main(void) {
    int a[3] = {0, 0, 0};
    __CPROVER_assert(__CPROVER_forall { int i; (0 <= i && i < 3) ==> a[i] == 0 }, "all are zero");
    return 0;
}
