// expect: true
// property: LTL(G (at(acquired) ==> F at(released)))
int n;
int main(void) {
  while (1) {
acquired:
    n = 3;
    while (n > 0) n = n - 1;
released:
    n = 0;
  }
}
