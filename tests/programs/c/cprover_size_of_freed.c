// expect: unknown
// data-model: LP64
// What is asked about a pointer to freed memory has no answer.
#include <stdlib.h>
int main(void) {
  char *p = malloc(10);
  free(p);
  __CPROVER_assert(__CPROVER_OBJECT_SIZE(p) == 10, "any");
  return 0;
}
