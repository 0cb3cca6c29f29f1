// expect: false(valid-deref)
// property: valid-memsafety
#include <unistd.h>
int main(void) {
  char b[4];
  read(0, b, 5);
  return 0;
}
