// A byte of 128 or more makes a negative int.
// expect: false
// data-model: LP64
#include <assert.h>
#include <string.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  int a[2];
  memset(a, __VERIFIER_nondet_uchar(), sizeof a);
  assert(a[1] >= 0);
  return 0;
}
