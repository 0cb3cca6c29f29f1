// __builtin_types_compatible_p tells enumerations apart.
// expect: unknown
#include <assert.h>
enum colour { RED, BLUE };
enum size { SMALL, LARGE };
int main(void) {
  assert(__builtin_types_compatible_p(enum colour, enum size));
  return 0;
}
