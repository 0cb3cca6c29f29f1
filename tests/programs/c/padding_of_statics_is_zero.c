// expect: true
#include <assert.h>
#include <string.h>
struct s { char c; int i; } a = {1, 2}, b = {1, 2}; static struct s z;
int main(void){ assert(memcmp(&a, &b, sizeof a) == 0); unsigned char *p = (unsigned char *)&a; assert(p[1] == 0 && p[2] == 0 && p[3] == 0); p = (unsigned char *)&z; assert(p[2] == 0); return 0; }
