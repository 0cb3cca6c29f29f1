// An enumeration without negative values is compatible with unsigned int.
// expect: true
#include <assert.h>
enum colour { RED, BLUE };
enum signs { MINUS = -1, PLUS };
int main(void) {
  enum colour c = BLUE;
  enum signs s = PLUS;
  unsigned u = 1;
  assert(_Generic(c, enum colour: 1, default: 2) == 1 && _Generic(c, unsigned: 1, default: 2) == 1);
  assert(_Generic(s, enum signs: 1, unsigned: 2) == 1 && _Generic(u, enum signs: 1, unsigned: 2) == 2);
  assert(_Generic(RED, int: 1, unsigned: 2) == 1);
  return 0;
}
