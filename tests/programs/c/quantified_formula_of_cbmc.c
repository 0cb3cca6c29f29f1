// expect: unknown
// A formula about all integers has no loop.
int main(void){ int a[3] = {1, 2, 3}; __CPROVER_assert(__CPROVER_forall { int i; (i < 3) ==> a[i] > 0 }, "all"); return 0; }
