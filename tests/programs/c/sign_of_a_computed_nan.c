// Whether the sign is set depends on whether the compiler computes the quotient.
// expect: unknown
// data-model: LP64
#include <assert.h>
#include <math.h>
int main(void) {
  double z = 0.0;
  double n = z / z;
  assert(copysign(1.0, n) == -1.0);
  return 0;
}
