// expect: true
// property: valid-memsafety
#include <stdlib.h>
static void release(char **p) { free(*p); }
int main(void) {
  for (int i = 0; i < 3; i++) {
    __attribute__((cleanup(release))) char *p = malloc(4);
    p[i] = 1;
    if (i == 1) continue;
  }
  return 0;
}
