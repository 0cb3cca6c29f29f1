// expect: true
#include <assert.h>
int time = 3, div;
static int strlen = 4;
int main(void) {
  int abs = time + strlen + div;
  assert(abs == 7);
  return 0;
}
