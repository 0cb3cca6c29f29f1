// expect: unknown
#include <assert.h>
#include <stdlib.h>
int main(void) {
  char *a = malloc(32), *b = malloc(32);
  assert(a + 32 != b);
  return 0;
}
