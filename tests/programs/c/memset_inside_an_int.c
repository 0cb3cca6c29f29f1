// expect: true
// A byte in the middle of an int is set.
#include <string.h>
extern void reach_error(void);
int main(void) { int x = 0x11223344; memset((char*)&x + 1, 0, 1); if (x != 0x11220044) reach_error(); return 0; }
