// expect: unknown
// Characters may be written into any object.
#include <assert.h>
int g; extern char *get(void);
int main(void) { char *p = get(); g = 1; *p = 2; assert(g == 1); return 0; }
