// property: valid-memsafety
#include <stdlib.h>

int main(void) {
  int x = 1;
  int *p = &x;
  free(p);
  return 0;
}
