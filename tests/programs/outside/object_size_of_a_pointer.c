// expect: unknown
// What the compiler finds out depends on its optimisation.
#include <assert.h>
int main(void) {
  char b[3], *p = b;
  assert(__builtin_object_size(p, 0) == (__SIZE_TYPE__)-1);
  return 0;
}
