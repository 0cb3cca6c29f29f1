// expect: unknown
// The outside can name it.
#include <assert.h>
int g; extern int *get(void);
int main(void) { int *p = get(); g = 1; *p = 2; assert(g == 1); return 0; }
