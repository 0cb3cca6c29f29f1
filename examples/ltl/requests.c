// expect: true
// property: LTL(G ("x > 0" ==> F "y == 0"))
// Every positive x is counted down, and then y becomes 0.
extern int __VERIFIER_nondet_int(void);
int x, y;

int main(void) {
  while (1) {
    x = __VERIFIER_nondet_int();
    y = 1;
    while (x > 0) {
      x--;
      if (x <= 1) y = 0;
    }
  }
}
