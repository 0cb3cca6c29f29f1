// expect: unknown
// property: valid-memsafety
// What it does is written in the standard, so it is no arbitrary function that is trusted.
#include <string.h>
int main(void) {
  char b[2];
  strxfrm(b, "abc", 4);
  return 0;
}
