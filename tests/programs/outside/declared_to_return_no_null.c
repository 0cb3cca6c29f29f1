// expect: true
#include <assert.h>
__attribute__((returns_nonnull)) int *place(void);
int main(void) {
  assert(place() != 0);
  return 0;
}
