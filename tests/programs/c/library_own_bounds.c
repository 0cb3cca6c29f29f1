// expect: unknown
// may: false
// timeout: 3s
// property: valid-memsafety
// Texts of the environment may be longer than any array.
#include <stdlib.h>
#include <string.h>
int main(void) {
  char b[300];
  char *s = getenv("X");
  if (s) strcpy(b, s);
  return 0;
}
