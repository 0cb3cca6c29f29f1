// expect: false(valid-deref)
// property: valid-memsafety
#include <alloca.h>
int *keep;
void f(int n){ for (int i = 0; i < n; i++) { int *p = alloca(4); *p = i; if (i == 1) keep = p; } }
int main(void){ f(3); return *keep; }
