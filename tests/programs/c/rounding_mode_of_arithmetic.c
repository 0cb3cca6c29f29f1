// expect: unknown
// Arithmetic under another mode than to nearest is any number.
#include <fenv.h>
extern void reach_error(void);
int main(void) {
  volatile double a = 1, b = 3, c;
  double d = a / b;
  fesetround(FE_UPWARD);
  c = a / b;
  fesetround(FE_TONEAREST);
  if (c != d) reach_error();
  return 0;
}
