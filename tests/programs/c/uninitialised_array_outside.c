// expect: unknown
// may: false
// property: no-uninitialised-read
// The function may have written all of it.
void fill(int *, int);
int main(void) {
  int a[3];
  fill(a, 3);
  return a[2];
}
