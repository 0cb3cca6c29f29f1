// expect: true
// property: valid-memsafety
// Numbers of addresses that are only compared with each other, aligned, subtracted and made pointers again.
#include <stdint.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a[4] = {0}, i = __VERIFIER_nondet_int();
  if (i < 0 || i > 3)
    return 0;
  uintptr_t here = (uintptr_t)&a[i], start = (uintptr_t)a;
  *(int *)here = 7;
  if (a[i] != 7 || here % sizeof(int) != 0 || here < start || (here - start) / sizeof(int) != i)
    reach_error();
  if ((here == start) != (i == 0))
    reach_error();
  return 0;
}
