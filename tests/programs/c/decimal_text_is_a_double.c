// expect: true
// args: --integers bitvec
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
  const char *text = " -2.5e1x";
  char *end;
  double d = strtod(text, &end);
  if (d != -25.0 || *end != 'x' || atof("0.1") != 0.1)
    reach_error();
  return 0;
}
