// expect: false(valid-free)
// property: valid-memsafety
#include <stdlib.h>
static void release(char **p) { free(*p); }
int main(void) {
  __attribute__((cleanup(release))) char *p = malloc(4);
  free(p);
  return 0;
}
