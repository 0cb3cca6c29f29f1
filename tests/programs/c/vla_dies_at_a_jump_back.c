// expect: false(valid-deref)
// property: valid-memsafety
int main(void){ int *p = 0; int n = 3; again: ; int a[n]; a[0] = 1; if (p) return *p; p = a; goto again; }
