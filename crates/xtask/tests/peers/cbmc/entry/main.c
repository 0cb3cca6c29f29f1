#include <assert.h>
void f(unsigned n) {
  int a[N] = {1};
  if (n < N)
    assert(a[n] <= 1 && sizeof(long) == 4);
}
