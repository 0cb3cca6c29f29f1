// expect: true
#include <assert.h>
#define NOTHING
#define HAS_NOTHING defined(NOTHING)
#define HAS_SOMETHING (defined SOMETHING || defined(NOTHING) && 1)
#if HAS_NOTHING && HAS_SOMETHING && !defined(SOMETHING)
int right = 1;
#else
int right = 0;
#endif
int main(void) {
  assert(right);
  return 0;
}
