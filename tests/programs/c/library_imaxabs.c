// expect: true
// property: no-overflow
#include <inttypes.h>
int main(void) {
  return imaxabs(-3) != 3;
}
