// expect: false
// A function of the library that does not return, and has no model.
#include <err.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n > 3) errx(1, "too many");
  if (n == 3) reach_error();
  return 0;
}
