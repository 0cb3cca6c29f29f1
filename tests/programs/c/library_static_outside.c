// expect: false(valid-deref)
// property: valid-memsafety
#include <math.h>
static int x[2];
int main(void) {
  frexp(1.0, &x[2]);
  return 0;
}
