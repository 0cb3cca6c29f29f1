// Enumerations are different types, although both may be unsigned int.
// expect: unknown
#include <assert.h>
enum colour { RED, BLUE };
enum size { SMALL, LARGE };
int main(void) {
  enum size s = LARGE;
  assert(_Generic(s, enum colour: 1, enum size: 2) == 1);
  return 0;
}
