// expect: true
// Within one object the end is like any other place, also where a pointer may point into several objects.
#include <assert.h>
static int sum(const int *p, const int *end) {
  int s = 0;
  while (p != end) s += *p++;
  return s;
}
int main(void) {
  int a[3] = {1, 2, 3}, b[2] = {4, 5};
  assert(sum(a, a + 3) == 6 && sum(b, b + 2) == 9);
  return 0;
}
