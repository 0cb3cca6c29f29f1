// property: valid-memsafety
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n > 1000 || n < 2) return 0;
  char *text = malloc(n);
  if (!text) return 0;
  for (unsigned i = 0; i <= n; i++) text[i] = 'a';
  free(text);
  return 0;
}
