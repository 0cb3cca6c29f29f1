// expect: false
// property: LTL(G ("y == 1" ==> X "y == 2"))
// Assignments are steps, also of variables whose address is taken.
int x, y;
int main(void) {
  int *p = &x;
  y = 1;
  x = 5;
  y = 2;
  return *p;
}
