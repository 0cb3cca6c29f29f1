// expect: unknown
// may: false
// args: --entry f
// property: valid-memcleanup
// Whoever called may free what it was given.
#include <stdlib.h>
int *f(int n) {
  int *p = malloc(sizeof *p);
  if (p) *p = n;
  return p;
}
