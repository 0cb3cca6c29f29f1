// expect: unknown
// property: valid-memsafety
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = x + 1;
  if (y < x) { char *p = malloc(1); if (p) { free(p); free(p); } }
  return 0;
}
