// PARAM: --enable dbg.debug
#include <goblint.h>
int main(void) {
  int i = 3;
  __goblint_check(i == 3);
  return 0;
}
