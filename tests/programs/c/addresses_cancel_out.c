// expect: true
// Where objects lie does not matter here.
#include <stdint.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a[4] = {0}, i = __VERIFIER_nondet_int();
  char *s = "text";
  if (i < 0 || i > 3)
    return 0;
  if ((uintptr_t)(s + 1) - (uintptr_t)s != 1)
    reach_error();
  if ((uintptr_t)&a[i] - (uintptr_t)a != i * sizeof(int))
    reach_error();
  if ((uintptr_t)&a[i] % sizeof(int) != 0 || ((uintptr_t)&a[i] & 3) != 0)
    reach_error();
  int *p = &a[i];
  if (((uintptr_t)p == (uintptr_t)a) != (i == 0))
    reach_error();
  if ((uintptr_t)(p + 1) <= (uintptr_t)p)
    reach_error();
  return 0;
}
