// expect: unknown
// may: true
// At the end of a stream feof says so; that is not modelled.
#include <assert.h>
#include <stdio.h>
int main(void) {
  if (getchar() == EOF) assert(feof(stdin) || ferror(stdin));
  return 0;
}
