// expect: true
#include <assert.h>
static struct s { char c; short h; int b : 3; int d : 5; } t[2] = {{1, 2, 3, 4}, {5}};
int main(void){ unsigned char *p = (unsigned char *)t; unsigned sum = 0; for (unsigned i = 0; i < sizeof t; i++) sum += p[i]; assert(p[1] == 0); assert(sum == 1 + 2 + (3 | 4 << 3) + 5); return 0; }
