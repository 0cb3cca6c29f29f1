// expect: unknown
// property: termination
// After a hundred turns it writes behind the block, which is undefined: no endless execution.
#include <stdlib.h>
int main(void) {
  char *p = malloc(100);
  if (!p) return 0;
  unsigned i = 0;
  while (1) {
    p[i] = 0;
    i++;
  }
}
