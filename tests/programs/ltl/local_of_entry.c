// expect: true
// property: LTL(F "i == 10")
// Propositions may speak about variables of the entry function.
int main(void) {
  int i = 0;
  while (i < 10) i = i + 1;
  return 0;
}
