// One function changes what another one reads by a pointer with static storage; both are called in one expression.
// expect: unknown
#include <assert.h>
#include <stdlib.h>
static int *shared;
static int put(int *q) { *q = 3; return 0; }
static int get(void) { return *shared; }
int main(void) {
  int *block = malloc(sizeof *block);
  *block = 1;
  shared = block;
  int r = get() + put(block);
  assert(r == 1);
  return 0;
}
