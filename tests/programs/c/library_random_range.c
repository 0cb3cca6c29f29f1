// expect: true
#include <assert.h>
#include <stdlib.h>
int main(void) {
  long r = random();
  assert(r >= 0 && r <= 2147483647);
  return 0;
}
