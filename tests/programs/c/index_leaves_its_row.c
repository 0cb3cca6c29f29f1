// expect: unknown
// What lies behind a row is no part of it (C11 6.5.6p8): the violation depends on undefined behaviour.
#include <assert.h>
int main(void) {
  int a[2][3], i = 3;
  a[1][0] = 7;
  int x = a[0][i];
  assert(x != 7);
  return 0;
}
