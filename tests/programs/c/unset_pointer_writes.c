// expect: false(unreach-call)
#include <assert.h>
int main(void){ int b = 5; int *p; if (p == &b) { *p = 6; assert(b == 5); } return 0; }
