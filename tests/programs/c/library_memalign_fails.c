// expect: true
// args: --malloc-may-fail
#include <assert.h>
#include <stdlib.h>
int main(void) {
  void *p = 0;
  int r = posix_memalign(&p, 16, 10);
  assert(r != 0 || p != 0);
  free(p);
  return 0;
}
