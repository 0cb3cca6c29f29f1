// expect: false
// A pointer to arrays of characters looks at numbers.
#include <assert.h>
int main(void) {
  int x[2] = { 5, 6 };
  unsigned char(*rows)[4] = (unsigned char(*)[4])x;
  rows[1][0] = 9;
  assert(x[1] == 6);
  return 0;
}
