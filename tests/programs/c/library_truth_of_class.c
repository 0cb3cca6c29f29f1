// expect: unknown
// may: false
// Only whether the result is zero is specified (C11 7.4.1); glibc returns 1024.
#include <assert.h>
#include <ctype.h>
int main(void) {
  assert(isalpha('a') == 1);
  return 0;
}
