// expect: true
// property: valid-memsafety
#include <assert.h>
struct s { int x; int *q; };
int main(void){ int b = 5; struct s t; if (t.q == &b) { *t.q = 7; assert(b == 7); } int *arr[2]; if (arr[1] == &b) { assert(*arr[1] == b); } return 0; }
