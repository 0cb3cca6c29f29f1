// expect: false(valid-deref)
// property: valid-memsafety
int main(void){ int *p; int c = 1; if (c) p = &(int){5}; return *p; }
