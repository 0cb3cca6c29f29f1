// expect: false(valid-deref)
// property: valid-memsafety
int main(void){ int *p = 0; int n = 2; { int a[n]; a[1] = 5; p = &a[1]; goto out; } out: return *p; }
