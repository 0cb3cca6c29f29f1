// expect: false(valid-deref)
// property: valid-memsafety
// The difference comes first, but all bytes must be there.
#include <string.h>
int main(void) {
  char a[2] = {1, 2}, b[4] = {9, 2, 3, 4};
  return memcmp(a, b, 4) != 0;
}
