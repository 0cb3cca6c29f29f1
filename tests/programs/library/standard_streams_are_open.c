// expect: true
// property: valid-memsafety
// Nobody has to open these.
#include <stdio.h>
int main(void) {
  fprintf(stderr, "x %d", 3);
  fputs("a", stdout);
  putc(65, stdout);
  fflush(0);
  fflush(stdout);
  return 0;
}
