// expect: true
// data-model: LP64
// The operand of sizeof is evaluated if its type is a variable-length array (C11 6.5.3.4p2), and only then.
#include <assert.h>
static int count;
static int side(void) { return ++count; }
int main(void) {
  int m = 3, a[m], n = 0;
  n += sizeof(sizeof(a) + side());
  n += sizeof(a[side()] + 1);
  assert(count == 0);
  assert(sizeof(*(&a + side() - 1)) == 12);
  assert(count == 1);
  return 0;
}
