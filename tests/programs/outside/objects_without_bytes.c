// expect: unknown
#include <assert.h>
struct empty {};
int main(void) {
  struct empty s, t;
  assert(&s != &t);
  return 0;
}
