// expect: false(valid-deref)
// property: valid-memsafety
int main(void){ int *p; int n = 3; { int a[n]; a[0] = 1; p = a; } return *p; }
