// expect: true
#include <string.h>
extern void reach_error(void);
struct S { unsigned a : 3; unsigned b : 7; signed c : 6; char d; };
int main(void) {
    struct S s = { 5, 99, -2, 'x' }, t;
    memcpy(&t, &s, sizeof s);
    if (t.a != 5 || t.b != 99 || t.c != -2 || t.d != 'x') reach_error();
    unsigned char *p = (unsigned char *)&s;
    if (p[0] != (5 | (99 << 3 & 0xff))) reach_error();
    p[1] = 0xff;
    if (s.c != -1 || s.b != (99 & 31 | 96) || s.d != 'x') reach_error();
    return 0;
}
