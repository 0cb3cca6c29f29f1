// expect: false(valid-deref)
// property: valid-memsafety
#include <string.h>
int main(void){ char a[10] = "abcdefghi"; memcpy(a + 1, a, 5); return a[1]; }
