// expect: false(unreach-call)
// data-model: LP64
#include <stdlib.h>
int main(void) {
  char *p = malloc(10);
  int n = nondet_int();
  if (n < 1 || n > 11) return 0;
  __CPROVER_assert(__CPROVER_r_ok(p, n), "eleven are too many");
  free(p);
  return 0;
}
