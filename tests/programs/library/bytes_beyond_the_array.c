// expect: false(valid-deref)
// property: valid-memsafety
// Four bytes of three.
#include <unistd.h>
int main(void) { char a[3] = "ab"; write(1, a, 4); return 0; }
