// expect: true
// property: termination
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1) return 0;
  long l = n;
  int m = (int)l;
  while (m <= 0);
  return 0;
}
