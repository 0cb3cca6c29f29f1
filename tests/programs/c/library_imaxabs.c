// expect: false
// property: no-overflow
#include <inttypes.h>
int main(void) {
  return imaxabs(INTMAX_MIN) != 0;
}
