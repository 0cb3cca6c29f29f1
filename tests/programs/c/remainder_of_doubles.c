// expect: true
// args: --integers bitvec
#include <math.h>
extern void reach_error(void);
int main(void) {
  if (fmod(7.5, 2) != 1.5 || fmod(-7.5, 2) != -1.5 || fmod(1, 3) != 1 || fmod(1, 0) == fmod(1, 0))
    reach_error();
  return 0;
}
