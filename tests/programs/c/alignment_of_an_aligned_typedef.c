// The alignment of a typedef stays in the types of expressions, which is not modelled.
// expect: unknown
#include <assert.h>
typedef int wide __attribute__((aligned(16)));
wide a;
int main(void) {
  assert(__alignof__(1 + a) == 4);
  return 0;
}
