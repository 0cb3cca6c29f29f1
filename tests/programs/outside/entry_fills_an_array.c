// expect: true
// args: --entry foo
// What was written is there.
#include <assert.h>
void foo(int *a, unsigned n) {
  if (n > 3) n = 3;
  for (unsigned i = 0; i < n; i++) a[i] = 7;
  for (unsigned i = 0; i < n; i++) assert(a[i] == 7);
}
