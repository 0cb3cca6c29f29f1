// expect: false(no-division-by-zero)
// property: undefined
// The mean of no numbers.
extern int __VERIFIER_nondet_int(void);

static int mean(const int *values, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += values[i];
  return sum / n;
}

int main(void) {
  int values[3] = {1, 2, 3}, n = __VERIFIER_nondet_int();
  if (n < 0 || n > 3) return 0;
  return mean(values, n);
}
