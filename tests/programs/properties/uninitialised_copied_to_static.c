// expect: false
// property: no-uninitialised-read
// A static object has a value until something is copied over it that has none.
#include <string.h>
static int kept[8];
int main(void) {
  int fresh[8];
  fresh[0] = 1;
  memcpy(kept, fresh, sizeof kept);
  return kept[2];
}
