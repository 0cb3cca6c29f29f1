// expect: true
// data-model: LP64
#include <assert.h>
#define TIGHT _Pragma("pack(1)")
_Pragma("pack(push, 1)") struct a { char c; int i; };
_Pragma("pack(pop)") struct b { char c; int i; };
TIGHT struct c { char c; short s; };
_Pragma("pack()") struct d { char c; short s; };
int main(void) {
  assert(sizeof(struct a) == 5 && sizeof(struct b) == 8 && sizeof(struct c) == 3 && sizeof(struct d) == 4);
  return 0;
}
