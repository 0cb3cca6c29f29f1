// expect: false
// property: no-uninitialised-read
#include <stdio.h>
int main(void) {
  int x;
  scanf("%d", &x);
  return x;
}
