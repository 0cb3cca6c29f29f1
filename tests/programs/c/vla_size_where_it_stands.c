// expect: true
#include <assert.h>
static int n_calls;
static int side(void) { return ++n_calls; }
int main(void) {
  int n = 4;
  assert((n = 5, sizeof(char[n])) == 5);
  int none = 0 && sizeof(char[side()]);
  int aligned = _Alignof(char[side()]);
  while (sizeof(char[n]) < 8) n++;
  assert(n == 8 && n_calls == 0 && !none && aligned == 1);
  return 0;
}
