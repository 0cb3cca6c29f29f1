// expect: unknown
// may: true
// property: valid-memsafety
// A function without body may set the pointer that it is given the address of.
#include <stdlib.h>
void make(char **);
int main(void) {
  char *s;
  make(&s);
  free(s);
  return 0;
}
