// expect: true
#include <assert.h>
int main(void){ int b = 5; int *p; if (p == &b) { assert(*p == 5); *p = 6; assert(b == 6); } return 0; }
