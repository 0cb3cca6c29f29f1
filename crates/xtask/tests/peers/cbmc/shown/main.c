#include <assert.h>
int main(void) {
  unsigned x;
  assert(x != 5);
}
