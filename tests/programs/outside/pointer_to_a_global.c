// expect: unknown
// args: --entry start --pointers null,object,may-alias
// The caller may have the address of g.
#include <assert.h>
int g;
int start(int *p) {
  if (p) {
    g = 5;
    *p = 7;
    assert(g == 5);
  }
  return 0;
}
