// expect: true
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
int main(void) {
  char *end;
  const char *text = " -12x";
  assert(atoi("42") == 42);
  assert(strtol(text, &end, 10) == -12 && end == text + 4);
  assert(strtol("0x1f", 0, 0) == 31 && strtol("017", 0, 0) == 15);
  assert(strtol("none", &end, 10) == 0);
  errno = 0;
  assert(strtoull("99999999999999999999", 0, 10) == ~0ULL && errno == ERANGE);
  div_t d = div(-7, 2);
  assert(d.quot == -3 && d.rem == -1);
  return 0;
}
