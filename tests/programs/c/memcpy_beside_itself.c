// expect: true
// property: valid-memsafety
#include <string.h>
int main(void){ char a[10] = "abcdefghi"; memmove(a + 1, a, 5); memcpy(a, a + 5, 5); memcpy(a, a, 3); return a[1]; }
