// expect: true
// The outside cannot name it.
#include <assert.h>
static int g; extern int *get(void);
int main(void) { int *p = get(); g = 1; *p = 2; assert(g == 1); return 0; }
