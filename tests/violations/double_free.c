// property: valid-memsafety
#include <stdlib.h>

void drop(char *p) {
  free(p);
}

int main(void) {
  char *p = malloc(3);
  drop(p);
  drop(p);
  return 0;
}
