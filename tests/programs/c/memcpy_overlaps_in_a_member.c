// expect: false(valid-deref)
// property: valid-memsafety
#include <string.h>
struct s { int a[4]; } x;
int main(void){ memcpy(&x.a[1], &x.a[0], 2 * sizeof(int)); return 0; }
