// expect: true
#include <assert.h>
#define X 1
#pragma push_macro("X")
#pragma push_macro("NONE")
#undef X
#define X 2
#define NONE
int second = X;
#pragma pop_macro("X")
#pragma pop_macro("NONE")
int first = X;
#if (0, 1) && !defined(NONE)
int right = 1;
#else
int right = 0;
#endif
int main(void) {
  assert(first == 1 && second == 2 && right);
  return 0;
}
