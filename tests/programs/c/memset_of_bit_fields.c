// expect: true
#include <string.h>
extern void reach_error(void);
struct S { unsigned a : 3; unsigned b : 7; int c; };
int main(void) {
    struct S s = { 5, 99, -1 };
    memset(&s, 0, sizeof s);
    if (s.a || s.b || s.c) reach_error();
    return 0;
}
