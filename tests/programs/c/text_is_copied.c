// expect: true
// property: valid-memsafety
// engine: memory-facts, auto
//
// The zero at the end of the one text keeps both pointers inside their blocks.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  int m = __VERIFIER_nondet_int();
  if (n < 1 || m < n || m > 1000) return 0;
  char *from = malloc(n);
  char *to = malloc(m);
  for (int i = 0; i < n - 1; i++) from[i] = __VERIFIER_nondet_char();
  from[n - 1] = 0;
  char *s = from, *t = to;
  while ((*t++ = *s++) != 0)
    ;
  free(from);
  free(to);
  return 0;
}
