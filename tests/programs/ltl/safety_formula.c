// expect: true
// property: LTL(G ("started == 1" ==> "x <= y"))
// A formula that finite executions decide is proved by the engines for safety.
int __VERIFIER_nondet_int(void);
int x, y, started;
int main(void) {
  y = __VERIFIER_nondet_int();
  if (y < 0 || y > 1000000) return 0;
  started = 1;
  while (x < y) x = x + 1;
  return 0;
}
