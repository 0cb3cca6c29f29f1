// An alignment of a bit-field may be less than that of its type; the bit-field still does not cross a unit of its type.
// expect: true
// data-model: LP64
#include <assert.h>
#include <stddef.h>
struct a { _Bool flag : 1; unsigned long long wide : 21 __attribute__((aligned(2))); unsigned long long next; };
struct b { unsigned char c; unsigned long long wide : 34 __attribute__((aligned(1))); unsigned char bit : 1; };
struct c { char c[7]; unsigned short half : 12 __attribute__((aligned(1))); char d; };
int main(void) {
  assert(offsetof(struct a, next) == 8 && sizeof(struct a) == 16);
  assert(sizeof(struct b) == 8);
  assert(offsetof(struct c, d) == 10 && sizeof(struct c) == 12);
  return 0;
}
