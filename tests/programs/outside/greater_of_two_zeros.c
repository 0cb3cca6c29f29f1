// expect: unknown
// Which of two zeros is the greater one is open (C11 F.10.9.2).
#include <assert.h>
#include <math.h>
int main(void) {
  volatile double a = 0.0, b = -0.0;
  assert(!signbit(fmax(b, a)));
  return 0;
}
