// expect: true
// property: no-uninitialised-read
#include <stdio.h>
int main(void) {
  int x;
  if (scanf("%d", &x) == 1) return x;
  return 0;
}
