// __alignof__ of an expression asks for the declaration of the object, not only for its type.
// expect: true
// data-model: LP64
#include <assert.h>
struct __attribute__((packed)) packed { char c; int i; short s __attribute__((aligned(2))); };
struct plain { char c; double d; int wide __attribute__((aligned(32))); };
struct packed p;
struct plain s;
double g;
int array[4] __attribute__((aligned(32)));
int main(void) {
  _Alignas(64) char buffer[3];
  int x __attribute__((aligned(16)));
  assert(__alignof__(p.i) == 1 && __alignof__(p.s) == 2 && __alignof__(p) == 2 && __alignof__(*&p.i) == 1);
  assert(__alignof__(s.d) == 8 && __alignof__(s.wide) == 32 && __alignof__((&s)->c) == 1);
  assert(__alignof__(array) == 32 && __alignof__(array[1]) == 4 && __alignof__(*(char *)&g) == 8);
  assert(__alignof__(buffer) == 64 && __alignof__(x) == 16 && __alignof__(x + 1) == 4);
  return 0;
}
