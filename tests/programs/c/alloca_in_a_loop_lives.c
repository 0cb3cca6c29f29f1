// expect: true
// property: valid-memsafety
#include <alloca.h>
int f(int n){ int *last = 0; int s = 0; for (int i = 0; i < n; i++) { int *p = alloca(4); *p = i; if (last) s += *last; last = p; } return s; }
int main(void){ int r = f(3); int *h = alloca(8); h[1] = r; f(2); return h[1]; }
