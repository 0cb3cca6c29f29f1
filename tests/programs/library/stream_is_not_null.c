// expect: true
// property: valid-memsafety
// The same, with a look at what was returned.
#include <stdio.h>
int main(void) {
  char b[10];
  FILE *f = fopen("/nonexistent", "r");
  if (!f) return 0;
  fgets(b, 10, f);
  fclose(f);
  return 0;
}
