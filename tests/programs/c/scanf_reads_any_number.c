// expect: false
// Only with two numbers, and the first three above the second.
#include <assert.h>
#include <stdio.h>
int main(void) {
  int x = 0, y = 0;
  if (scanf("%d %d", &x, &y) != 2) return 1;
  if (y < 1000) return 0;
  assert(x != y + 3);
  return 0;
}
