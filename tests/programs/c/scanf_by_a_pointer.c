// expect: false
#include <assert.h>
#include <stdio.h>
int main(void) {
  int (*read_number)(const char *, ...) = scanf;
  int x = 0;
  read_number("%d", &x);
  assert(x == 0);
  return 0;
}
