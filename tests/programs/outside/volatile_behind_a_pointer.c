// expect: unknown
// Others may write a volatile object between two reads.
#include <assert.h>
volatile int *device(void);
int main(void) {
  volatile int *p = device();
  if (!p) return 0;
  int a = *p, b = *p;
  assert(a == b);
  return 0;
}
