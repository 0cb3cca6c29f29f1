// expect: true
// may: unknown
#include <assert.h>
#include <stdio.h>
int main(void) {
  int x = 0;
  sscanf("5", "%d", &x);
  assert(x == 5);
  return 0;
}
