// expect: false(ltl)
// property: LTL(G ("a == 1" ==> X "a == 3"))
// Without marks every assignment is a step.
int a;
int main(void) {
  a = 1;
  a = 2;
  a = 3;
  return 0;
}
