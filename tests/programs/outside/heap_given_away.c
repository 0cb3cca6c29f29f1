// expect: unknown
// may: false
// property: valid-memsafety
// Whoever is given a block may keep it, or free it.
#include <stdlib.h>
void take(int *);
int main(void) {
  int *p = malloc(sizeof *p);
  if (!p) return 0;
  *p = 1;
  take(p);
  return 0;
}
