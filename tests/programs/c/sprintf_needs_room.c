// expect: false(valid-deref)
// property: valid-memsafety
// A number has up to eleven characters.
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  char b[4];
  int x = __VERIFIER_nondet_int();
  if (x < 0 || x > 1000) return 0;
  sprintf(b, "%d", x);
  return 0;
}
