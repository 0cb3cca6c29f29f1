// expect: true
// property: valid-memsafety
int main(void){ int *p = 0; int i = 0; top: ; int x = 3; if (p) { if (p != &x) *(int*)0 = 1; return *p - 3; } p = &x; i++; goto top; }
