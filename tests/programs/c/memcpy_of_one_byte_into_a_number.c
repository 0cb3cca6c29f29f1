// expect: false
// One character is copied into the middle of a number.
#include <assert.h>
#include <string.h>
int main(void) {
  int x = 0;
  char c = 'a';
  memcpy((char *)&x + 1, &c, 1);
  assert(x == 0);
  return 0;
}
