// gcc folds the initialiser to a NaN without a sign, processors of x86 give one with a sign.
// expect: unknown
// data-model: LP64
#include <assert.h>
#include <math.h>
static double n = 0.0 / 0.0;
int main(void) {
  assert(isnan(n));
  assert(signbit(n));
  return 0;
}
