// expect: false(no-division-by-zero)
// property: no-division-by-zero
#include <inttypes.h>
int main(void) {
  return imaxdiv(5, 0).quot != 0;
}
