// expect: true
#include <string.h>
extern void reach_error(void);
int main(void) {
    float f = 1.0f; unsigned u;
    memcpy(&u, &f, sizeof u);
    if (u != 0x3f800000) reach_error();
    return 0;
}
