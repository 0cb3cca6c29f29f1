// expect: false(unreach-call)
// may: unknown
#include <stdio.h>
extern void reach_error(void);
int main(void) {
  char format[] = "abc%n";
  int n = 0;
  printf(format, &n);
  if (n == 3) reach_error();
  return 0;
}
