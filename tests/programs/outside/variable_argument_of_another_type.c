// expect: unknown
#include <assert.h>
#include <stdarg.h>
static int first(int n, ...) {
  va_list a;
  va_start(a, n);
  int x = va_arg(a, int);
  va_end(a);
  return x;
}
int main(void) {
  assert(first(1, 2.0) == 2);
  return 0;
}
