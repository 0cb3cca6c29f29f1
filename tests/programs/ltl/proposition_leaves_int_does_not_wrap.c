// expect: false(ltl)
// property: LTL(F "x * x == 1410065408")
// Arithmetic of propositions does not overflow: the square is 10000000000.
int x;
int main(void) {
  x = 100000;
  return 0;
}
