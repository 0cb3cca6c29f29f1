// expect: true
// A balance is never negative: only what is there can be withdrawn.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int balance = 100;
  while (__VERIFIER_nondet_int()) {
    int amount = __VERIFIER_nondet_int();
    if (amount > 0 && amount <= balance) {
      balance = balance - amount;
    }
  }
  assert(balance >= 0);
  return 0;
}
