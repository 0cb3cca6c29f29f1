// expect: true
// property: valid-memsafety
// The source comes first.
#include <strings.h>
int main(void) { int a[2] = {1,2}, b[2]; bcopy(a, b, sizeof a); return b[1] != 2; }
