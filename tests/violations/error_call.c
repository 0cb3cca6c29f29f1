// property: unreach-call
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

void __VERIFIER_assert(int cond) {
  if (!cond) {
    reach_error();
  }
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = x;
  while (x > 0 && x < 100) {
    x--;
    y--;
  }
  __VERIFIER_assert(x <= 0 && y == x);
  return 0;
}
