// expect: true
// property: valid-memsafety
#include <alloca.h>
int *f(int *p){ *p = 1; return p; }
int main(void){ int *q = f(alloca(4)); return *q; }
