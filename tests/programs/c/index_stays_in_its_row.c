// expect: false(unreach-call)
#include <assert.h>
int main(void) {
  int a[2][3], i = 1;
  a[i][0] = 7;
  assert(a[1][0] != 7);
  return 0;
}
