// expect: true
// Two bytes of four are set.
#include <string.h>
extern void reach_error(void);
int main(void) { int x = 0x11223344; memset(&x, 0, 2); if (x != 0x11220000) reach_error(); return 0; }
