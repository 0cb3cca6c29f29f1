// expect: true
// property: no-overflow
// engine: abstract-interpretation
// The sum never passes the counter, which is known only as a relation between the two.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int sum = 0, i, y = __VERIFIER_nondet_int();
  for (i = 0; i < 1000; i++) {
    if (y > i && i % 2 == 0) sum = sum + 1;
  }
  return sum;
}
