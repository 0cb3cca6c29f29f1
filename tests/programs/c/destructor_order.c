// expect: true
// Destructors run in the opposite order of constructors; abort runs none.
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int n, aborted;
__attribute__((destructor)) static void early(void) { n++; }
__attribute__((destructor(101))) static void late(void) {
  if (n != 1 || aborted) reach_error();
}
int main(void) {
  if (__VERIFIER_nondet_int()) {
    aborted = 1;
    abort();
  }
  return 0;
}
