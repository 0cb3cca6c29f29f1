// expect: true
// The same, unless they are equal.
#include <assert.h>
extern int *get(void);
int main(void) {
  int *p = get(), *q = get();
  if (p == q) return 0;
  *p = 1;
  *q = 2;
  assert(*p == 1);
  return 0;
}
