// expect: true
// data-model: LP64
#include <assert.h>
#include <stdarg.h>
struct pair { int x; double y; };
static int all(const char *kinds, ...) {
  va_list a;
  int n = 0;
  va_start(a, kinds);
  for (; *kinds; kinds++) {
    if (*kinds == 'i') n += va_arg(a, int) == 1;
    if (*kinds == 'u') n += va_arg(a, unsigned) == 2u;
    if (*kinds == 'l') n += va_arg(a, unsigned long) == 3;
    if (*kinds == 'd') n += va_arg(a, double) == 4.0;
    if (*kinds == 's') n += *va_arg(a, const char *) == 'x';
    if (*kinds == 'r') n += va_arg(a, struct pair).x == 5;
  }
  va_end(a);
  return n;
}
int main(void) {
  struct pair p = {5, 6.0};
  assert(all("iulds", 1, 2, 3L, 4.0, "x") == 5);
  assert(all("ri", p, 1) == 2);
  return 0;
}
