// expect: true
// property: no-division-by-zero
// data-model: LP64
extern int __VERIFIER_nondet_int(void);
static int mean(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s / n; }
int main(void) { int a[3] = {1, 2, 3}; int n = __VERIFIER_nondet_int(); if (n < 1 || n > 3) return 0; return mean(a, n); }
