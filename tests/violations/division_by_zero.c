// property: no-division-by-zero
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  int total = 0;
  for (int i = 3; i >= n; i--) total += 100 / i;
  return total;
}
