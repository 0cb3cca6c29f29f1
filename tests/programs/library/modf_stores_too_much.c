// expect: false(valid-deref)
// property: valid-memsafety
// Half a double is not enough.
#include <math.h>
#include <stdlib.h>
int main(void) {
  double *e = malloc(4);
  if (!e) return 0;
  double d = modf(8.5, e);
  free(e);
  return 0;
}
