// expect: true
#include <stdarg.h>
extern void reach_error(void);
struct pair { int x; char *name; double d; };
static int f(int n, ...) {
  va_list list;
  va_start(list, n);
  int s = 0;
  while (n--) {
    struct pair p = va_arg(list, struct pair);
    s += p.x * p.name[0];
  }
  s += va_arg(list, int);
  va_end(list);
  return s;
}
int main(void) {
  struct pair a = {2, "\3", 0.5}, b = {4, "\5", 1.5};
  if (f(2, a, b, 100) != 126) reach_error();
  return 0;
}
