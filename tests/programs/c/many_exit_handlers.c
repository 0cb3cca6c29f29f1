// expect: false
// gcc's library takes more than the 32 handlers that the standard promises.
#include <assert.h>
#include <stdlib.h>
static int runs;
static void count(void) {
  runs++;
  assert(runs < 3);
}
int main(void) {
  for (int i = 0; i < 3; i++)
    if (atexit(count)) return 0;
  return 0;
}
