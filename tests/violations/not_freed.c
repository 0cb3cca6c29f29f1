// property: valid-memcleanup
#include <stdlib.h>

int main(void) {
  char *p = malloc(8);
  if (p) *p = 1;
  return 0;
}
