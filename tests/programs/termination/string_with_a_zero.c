// expect: true
// property: termination
// The loop stops at the zero that was written at the end of the string, at the latest.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int cstrlen(const char *s) { const char *p = s; while (*p != '\0') p++; return (int)(p - s); }
int main(void) {
  int length = __VERIFIER_nondet_int();
  if (length < 1) length = 1;
  char *s = (char *)malloc(length);
  s[length - 1] = '\0';
  return cstrlen(s);
}
