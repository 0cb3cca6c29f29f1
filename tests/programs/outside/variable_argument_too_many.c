// expect: unknown
// timeout: 3s
// One argument too many is taken, which is undefined (C11 7.16.1.1p2).
#include <assert.h>
#include <stdarg.h>
static int sum(int n, ...) {
  va_list a;
  int s = 0;
  va_start(a, n);
  while (n-- > 0) s += va_arg(a, int);
  va_end(a);
  return s;
}
int main(void) {
  assert(sum(2, 1) == 1);
  return 0;
}
