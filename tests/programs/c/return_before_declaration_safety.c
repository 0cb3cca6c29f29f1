// expect: true
// property: valid-memsafety
// A return ends the objects that were declared before it, and no other.
extern int __VERIFIER_nondet_int(void);
static void set(int *q) { *q = 1; }
static int late(int *p, int n) {
  if (n == 0)
    return 0;
  int x = n;
  set(&x);
  return x + *p;
}
static int sum(int *p, int n) {
  if (n == 0)
    return p ? *p : 0;
  int x = n;
  return sum(&x, n - 1) + (p ? *p : 0);
}
int main(void) {
  int y = 2;
  int r = late(&y, __VERIFIER_nondet_int() != 0);
  set(&y);
  return r + y + sum(0, 3);
}
