// expect: true
#include <fenv.h>
#include <math.h>
extern void reach_error(void);
int main(void) {
  const int modes[] = {FE_DOWNWARD, FE_TONEAREST, FE_UPWARD, FE_TOWARDZERO};
  const double wanted[] = {-3.0, -2.0, -2.0, -2.0};
  for (int i = 0; i < 4; i++) {
    fesetround(modes[i]);
    if (fegetround() != modes[i] || rint(-2.5) != wanted[i]) reach_error();
  }
  if (fesetround(77) == 0 || fegetround() != FE_TOWARDZERO) reach_error();
  return 0;
}
