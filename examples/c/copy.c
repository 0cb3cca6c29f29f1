// expect: true
// engine: cell-morphing
// Every element of the copy is that of the original.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int original[50000], copy[50000];

int main(void) {
  int i;
  for (i = 0; i < 50000; i++) original[i] = __VERIFIER_nondet_int();
  for (i = 0; i < 50000; i++) copy[i] = original[i];
  for (i = 0; i < 50000; i++)
    if (copy[i] != original[i]) reach_error();
  return 0;
}
