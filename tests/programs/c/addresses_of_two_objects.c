// expect: unknown
// Which of two objects lies first is nobody's business.
#include <stdint.h>
extern void reach_error(void);
int main(void) {
  int a, b;
  if ((uintptr_t)&a > (uintptr_t)&b)
    reach_error();
  return 0;
}
