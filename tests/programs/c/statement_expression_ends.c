// expect: false(valid-deref)
// property: valid-memsafety
int main(void){ int *p; int r = ({ int x = 4; p = &x; *p + 1; }); return *p + r; }
