// expect: true
// property: no-uninitialised-read
// Copies of static objects have values.
#include <string.h>
static unsigned char bytes[8];
extern unsigned char given[8];
static unsigned load(const void *p) {
  unsigned v;
  memcpy(&v, p, 4);
  return v;
}
int main(void) {
  unsigned char copy[4];
  memcpy(copy, given, 4);
  return (int)(load(bytes) + load(bytes + 4)) + copy[2];
}
