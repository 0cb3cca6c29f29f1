// expect: true
// The usual base record: its tag is read of all kinds of objects.
#include <assert.h>
struct base { int tag; };
struct circle { struct base base; int radius; };
struct square { struct base base; int side; };
static int tag(void *object) { return ((struct base *)object)->tag; }
int main(void) {
  struct base b = { 0 };
  struct circle c = { { 1 }, 10 };
  struct square s = { { 2 }, 20 };
  assert(tag(&b) == 0 && tag(&c) == 1 && tag(&s) == 2);
  return 0;
}
