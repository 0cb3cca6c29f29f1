// expect: true
// property: valid-memsafety
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static void *ERR_PTR(long error) { return (void *)error; }
static long PTR_ERR(const void *p) { return (long)p; }
static int IS_ERR(const void *p) { return (unsigned long)p >= (unsigned long)-4095; }
static int *get(int fails) {
  if (fails) return ERR_PTR(-12);
  int *p = malloc(sizeof *p);
  *p = 4;
  return p;
}
int main(void) {
  int *p = get(__VERIFIER_nondet_int());
  if (IS_ERR(p)) return PTR_ERR(p);
  *p = 5;
  free(p);
  return 0;
}
