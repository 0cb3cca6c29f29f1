// expect: unknown
// may: false
// A failing function sets errno.
#include <assert.h>
#include <errno.h>
#include <stdio.h>
int main(void) {
  char s[8];
  errno = 0;
  if (!fgets(s, 8, stdin)) assert(errno == 0);
  return 0;
}
