// expect: true
#include <assert.h>
#include <stdio.h>
int main(void) {
  int r = printf("ab");
  assert(r == 2 || r < 0);
  r = putchar('c');
  assert(r == 'c' || r == EOF);
  assert(fflush(stdout) <= 0);
  return 0;
}
