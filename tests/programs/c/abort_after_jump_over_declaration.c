// expect: unknown
// may: false
// property: valid-memsafety
// The variable of the earlier iteration is gone when the program ends, and its block is lost.
#include <stdlib.h>
int main(void) {
  for (int i = 0; i < 2; i++)
    switch (i) {
      int *p;
    case 0:
      p = malloc(4);
      *p = 1;
      break;
    default:
      exit(0);
    }
  return 0;
}
