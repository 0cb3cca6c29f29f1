// expect: unknown
// may: false
// Nothing says whether two calls return the same text.
#include <assert.h>
#include <string.h>
int main(void) {
  assert(strerror(1) != strerror(2));
  return 0;
}
