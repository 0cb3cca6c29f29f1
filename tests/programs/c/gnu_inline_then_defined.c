// expect: true
#include <assert.h>
extern inline __attribute__((gnu_inline)) int twice(int x) { return x + x; }
int twice(int x) { return 2 * x; }
int main(void) {
  assert(twice(3) == 6);
  return 0;
}
