// expect: true
// A target is written exactly if scanf counts it.
#include <assert.h>
#include <stdio.h>
int main(void) {
  int x = 7, y = 8;
  int n = scanf("%d%d", &x, &y);
  assert(n >= -1 && n <= 2);
  if (n < 2) assert(y == 8);
  if (n < 1) assert(x == 7);
  return 0;
}
