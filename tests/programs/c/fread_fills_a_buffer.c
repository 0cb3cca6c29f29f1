// expect: true
// property: valid-memsafety
#include <stdio.h>
int main(void) {
  short b[2];
  return fread(b, sizeof *b, 2, stdin) > 2;
}
