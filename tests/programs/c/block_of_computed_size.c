// expect: true
// property: valid-memsafety
// engine: abstract-interpretation
// The size of the block is four times the bound of the loop: a cell of memory is known as a term.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100) return 0;
  int *a = malloc(n * sizeof(int));
  int *b = malloc(40);
  for (int i = 0; i < n; i++) a[i] = i;
  for (int i = 0; i < 10; i++) b[i] = a[0];
  free(a);
  free(b);
  return 0;
}
