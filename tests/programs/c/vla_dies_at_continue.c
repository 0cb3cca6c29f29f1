// expect: false(valid-deref)
// property: valid-memsafety
int main(void){ int *p = 0; for (int i = 1; i < 3; i++) { int a[i]; a[0] = 1; if (i == 1) { p = a; continue; } return *p; } return 0; }
