// expect: true
// The stretches overlap, the target lies above.
#include <string.h>
extern void reach_error(void);
int main(void) { int a[5] = {1,2,3,4,5}; memmove(a + 1, a, 4 * sizeof(int)); if (a[4] != 4 || a[1] != 1) reach_error(); return 0; }
