// expect: unknown
// Another block may lie where the first one was.
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
  int *p = malloc(sizeof *p);
  uintptr_t old = (uintptr_t)p;
  free(p);
  int *q = malloc(sizeof *q);
  if (old == (uintptr_t)q)
    reach_error();
  free(q);
  return 0;
}
