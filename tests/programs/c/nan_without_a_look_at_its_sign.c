// The sign of a NaN does not matter to comparisons, and other numbers have theirs.
// expect: true
// data-model: LP64
#include <assert.h>
#include <math.h>
static double n = 0.0 / 0.0;
int main(void) {
  assert(n != n && isnan(n) && isnan(-n) && !(n < 1.0));
  assert(signbit(-0.0) && !signbit(0.0) && copysign(2.0, -1.0) == -2.0);
  return 0;
}
