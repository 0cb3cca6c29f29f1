// The same behind typedefs.
// expect: unknown
#include <assert.h>
typedef enum { RED, BLUE } colour;
typedef enum { SMALL, LARGE } size;
int main(void) {
  size s = LARGE;
  assert(_Generic(s, colour: 1, default: 2) == 1);
  return 0;
}
