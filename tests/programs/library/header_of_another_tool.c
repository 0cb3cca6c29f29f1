// expect: false
#include <goblint.h>
int main(void) {
  int x = 1;
  __goblint_check(x == 1);
  __goblint_check(x == 2);
  return 0;
}
