// expect: true
// property: LTL(F "x + x > 3000000000 && x + x == 4000000000 && -x - x - x < -5000000000")
// Arithmetic of propositions does not overflow.
int x;
int main(void) {
  x = 2000000000;
  return 0;
}
