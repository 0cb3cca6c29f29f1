// On 32 bits a double prefers 8 bytes, but a member has the 4 of the layout.
// expect: true
// data-model: ILP32
#include <assert.h>
struct plain { char c; double d; long long l; } s;
double g;
int main(void) {
  assert(__alignof__(s.d) == 4 && __alignof__(s.l) == 4);
  assert(__alignof__(g) == 8 && __alignof__(double) == 8);
  return 0;
}
