// expect: true
// Which of several literals the format is does not matter: none of them stores a number.
#include <stdio.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  const char *format = __VERIFIER_nondet_int() ? "%d\n" : "%s\n";
  int x = 3;
  printf(format, x++);
  if (x != 4) reach_error();
  return 0;
}
