// Every byte of an int becomes the low byte of the argument.
// expect: true
// data-model: LP64
#include <assert.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int main(void) {
  int c = __VERIFIER_nondet_int();
  __VERIFIER_assume(c >= 0 && c < 4);
  int a[2];
  memset(a, c, sizeof a);
  assert(a[1] == c * 0x01010101);
  char text[3];
  memset(text, c + 256, 2);
  text[2] = 0;
  assert(text[0] == c && text[1] == c);
  return 0;
}
