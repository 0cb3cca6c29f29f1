// expect: false
// The test that is made of a violation defines also the functions that are not called.
#include <assert.h>
void note(int);
int other(int);
extern int get(void);
void unused(void);
int f(int x){ if (x > 1000) { unused(); return other(x);} return x; }
int main(void){ int x = get(); note(x); int y = f(x); assert(y != 77); return 0; }
