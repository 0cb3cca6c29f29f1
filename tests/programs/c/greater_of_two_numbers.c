// expect: true
#include <assert.h>
#include <math.h>
int main(void) {
  volatile double a = 0.0, b = -0.0;
  assert(fmax(b, a) == 0 && fmin(a, b) == 0 && fmax(-1.0, a) == 0 && fmin(b, 2.0) == 0 && !signbit(fmax(a, a)));
  return 0;
}
