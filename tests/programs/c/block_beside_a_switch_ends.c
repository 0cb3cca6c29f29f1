// expect: false(valid-deref)
// property: valid-memsafety
int main(void){ int *p; { int x = 1; p = &x; } switch(1){case 1: break;} return *p; }
