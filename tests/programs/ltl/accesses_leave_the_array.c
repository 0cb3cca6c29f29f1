// expect: unknown
// property: LTL(F "x == 1")
// Whether the formula is violated depends on iterations that write behind the array, which is undefined.
int a[3];
unsigned i;
int x;
int main(void) {
  while (1) {
    a[i] = 1;
    i = i + 1;
  }
}
