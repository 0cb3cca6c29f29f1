// expect: true
// data-model: LP64
#include <assert.h>
struct three { int a[3]; };
static struct three make(int n) {
  struct three s = {{n, n + 1, n + 2}};
  return s;
}
static int last(const int *p) { return p[2]; }
int main(void) {
  int i = 1;
  assert(last(make(1).a) == 3);
  assert(make(4).a[i] == 5 && *(make(7).a + 2) == 9);
  int n = last(make(2).a) + make(3).a[i + 1];
  assert(n == 9);
  return make(0).a[0];
}
