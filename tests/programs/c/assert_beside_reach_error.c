// expect: false(unreach-call)
extern void reach_error(void);
#include <assert.h>
int main(void){ int x = 1; if (x == 2) reach_error(); assert(x == 2); return 0; }
