// expect: false(valid-free)
// property: valid-memsafety
#include <stdlib.h>
int main(int argc, char **argv) {
  free(argv[0]);
  return 0;
}
