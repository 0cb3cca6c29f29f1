// The access is inside the object, but outside of the row (C11 6.5.6p8).
// expect: false(valid-deref)
// property: undefined
// data-model: LP64
static int get(int a[][3], int i, int j) { return a[i][j]; }
int main(void) {
  int a[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
  return get(a, 0, 4) == 9;
}
