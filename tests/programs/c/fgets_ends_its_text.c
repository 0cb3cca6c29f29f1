// expect: true
#include <assert.h>
#include <stdio.h>
int main(void) {
  char b[3];
  if (fgets(b, 3, stdin)) assert(b[0] == 0 || b[1] == 0 || b[2] == 0);
  return 0;
}
